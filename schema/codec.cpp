#include "schema/codec.hpp"

#include "schema/door.capnp.h"
#include "schema/inputs.capnp.h"
#include "schema/records.capnp.h"
#include "schema/session.capnp.h"

#include <capnp/dynamic.h>
#include <capnp/message.h>
#include <capnp/serialize.h>
#include <kj/exception.h>

#include <cctype>
#include <cstring>

namespace almanac {

namespace {

using Fields = std::vector<capnp::StructSchema::Field>;

std::string camel_case(std::string_view name) {
  std::string result;
  bool upper = false;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return result;
}

// Looks up the schema's fields in the order in which describe() visits them.
struct FieldFinder {
  capnp::StructSchema schema;
  Fields fields;
  template <class T> void operator()(const char* name, T&) {
    KJ_IF_MAYBE (field, schema.findFieldByName(camel_case(name))) fields.push_back(*field);
    else
      throw Bug("the schema of " + std::string(schema.getProto().getDisplayName().cStr()) +
                " has no field " + name);
  }
};

template <class T> const Fields& fields_of(capnp::StructSchema schema) {
  static const Fields fields = [&] {
    T sample{};
    FieldFinder finder{schema, {}};
    describe(finder, sample);
    return finder.fields;
  }();
  return fields;
}

template <class T> constexpr bool is_scalar_time =
    std::is_same_v<T, Instant> || std::is_same_v<T, Duration>;

// ---- encoding ---------------------------------------------------------------------------------

template <class T> void write_struct(capnp::DynamicStruct::Builder builder, T& record);
template <class T> void write_variant(capnp::DynamicStruct::Builder builder, T& variant);

template <class T> void write_list(capnp::DynamicList::Builder list, std::vector<T>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<unsigned>(i);
    if constexpr (std::is_same_v<T, std::string>)
      list.set(at, capnp::Text::Reader(values[i].c_str(), values[i].size()));
    else if constexpr (std::is_integral_v<T>) list.set(at, static_cast<std::int64_t>(values[i]));
    else write_struct(list[at].template as<capnp::DynamicStruct>(), values[i]);
  }
}

struct Writer {
  capnp::DynamicStruct::Builder builder;
  const Fields& fields;
  std::size_t next = 0;

  template <class T> void operator()(const char*, T& value) {
    const auto field = fields[next++];
    if constexpr (std::is_same_v<T, std::string>) {
      if (!value.empty()) builder.set(field, capnp::Text::Reader(value.c_str(), value.size()));
    } else if constexpr (std::is_same_v<T, Bytes>) {
      if (!value.content.empty())
        builder.set(field,
                    capnp::Data::Reader(reinterpret_cast<const kj::byte*>(value.content.data()),
                                        value.content.size()));
    } else if constexpr (std::is_same_v<T, bool>) builder.set(field, value);
    else if constexpr (is_scalar_time<T>) builder.set(field, value.seconds);
    else if constexpr (std::is_enum_v<T>) builder.set(field, static_cast<std::uint64_t>(value));
    else if constexpr (std::is_integral_v<T>) builder.set(field, value);
    else if constexpr (is_vector<T>::value) {
      if (!value.empty())
        write_list(builder.init(field, static_cast<unsigned>(value.size()))
                       .template as<capnp::DynamicList>(),
                   value);
    } else if constexpr (is_variant<T>::value)
      write_variant(builder.init(field).template as<capnp::DynamicStruct>(), value);
    else write_struct(builder.init(field).template as<capnp::DynamicStruct>(), value);
  }
};

template <class T> void write_struct(capnp::DynamicStruct::Builder builder, T& record) {
  Writer writer{builder, fields_of<T>(builder.getSchema())};
  describe(writer, record);
}

template <class T> void write_variant(capnp::DynamicStruct::Builder builder, T& variant) {
  const auto field = builder.getSchema().getUnionFields()[static_cast<unsigned>(variant.index())];
  std::visit(
      [&](auto& alternative) {
        auto inner = builder.init(field).template as<capnp::DynamicStruct>();
        if constexpr (is_variant<std::decay_t<decltype(alternative)>>::value)
          write_variant(inner, alternative);
        else write_struct(inner, alternative);
      },
      variant);
}

// ---- decoding ---------------------------------------------------------------------------------

template <class T> void read_struct(capnp::DynamicStruct::Reader reader, T& record);
template <class T> void read_variant(capnp::DynamicStruct::Reader reader, T& variant);

template <class T> void read_list(capnp::DynamicList::Reader list, std::vector<T>& values) {
  values.reserve(list.size());
  for (unsigned i = 0; i < list.size(); ++i) {
    if constexpr (std::is_same_v<T, std::string>) {
      const auto text = list[i].as<capnp::Text>();
      values.emplace_back(text.begin(), text.size());
    } else if constexpr (std::is_integral_v<T>) values.push_back(list[i].as<T>());
    else read_struct(list[i].as<capnp::DynamicStruct>(), values.emplace_back());
  }
}

struct Reader {
  capnp::DynamicStruct::Reader reader;
  const Fields& fields;
  std::size_t next = 0;

  template <class T> void operator()(const char* name, T& value) {
    const auto field = fields[next++];
    const auto content = reader.get(field);
    if constexpr (std::is_same_v<T, std::string>) {
      const auto text = content.as<capnp::Text>();
      value.assign(text.begin(), text.size());
    } else if constexpr (std::is_same_v<T, Bytes>) {
      const auto data = content.as<capnp::Data>();
      value.content.assign(reinterpret_cast<const char*>(data.begin()), data.size());
    } else if constexpr (std::is_same_v<T, bool>) value = content.as<bool>();
    else if constexpr (is_scalar_time<T>) value.seconds = content.as<std::int64_t>();
    else if constexpr (std::is_enum_v<T>) {
      const auto number = content.as<std::uint64_t>();
      if (number > static_cast<std::uint64_t>(last_of<T>))
        throw Error{std::string("field ") + name + " holds an unknown value"};
      value = static_cast<T>(number);
    } else if constexpr (std::is_integral_v<T>) value = content.as<T>();
    else if constexpr (is_vector<T>::value) read_list(content.as<capnp::DynamicList>(), value);
    else if constexpr (is_variant<T>::value)
      read_variant(content.as<capnp::DynamicStruct>(), value);
    else read_struct(content.as<capnp::DynamicStruct>(), value);
  }
};

template <class T> void read_struct(capnp::DynamicStruct::Reader reader, T& record) {
  Reader visitor{reader, fields_of<T>(reader.getSchema())};
  describe(visitor, record);
}

template <class T, std::size_t I = 0>
void read_alternative(capnp::DynamicStruct::Reader reader, T& variant, std::size_t index) {
  if constexpr (I < std::variant_size_v<T>) {
    if (index != I) return read_alternative<T, I + 1>(reader, variant, index);
    auto& alternative = variant.template emplace<I>();
    if constexpr (is_variant<std::variant_alternative_t<I, T>>::value)
      read_variant(reader, alternative);
    else read_struct(reader, alternative);
  } else throw Error{"an alternative that this version does not know"};
}

template <class T> void read_variant(capnp::DynamicStruct::Reader reader, T& variant) {
  KJ_IF_MAYBE (field, reader.which())
    read_alternative(reader.get(*field).as<capnp::DynamicStruct>(), variant,
                     field->getProto().getDiscriminantValue());
  else throw Error{"an alternative that this version does not know"};
}

// ---- which schema -----------------------------------------------------------------------------

template <class T> struct WireOf;
#define ALMANAC_WIRE(type, wire_name)                                                              \
  template <> struct WireOf<type> { using Type = wire::wire_name; };
ALMANAC_WIRE(Job, Job)
ALMANAC_WIRE(Reservation, Reservation)
ALMANAC_WIRE(ConfigurationObject, ConfigurationObject)
ALMANAC_WIRE(HostState, HostState)
ALMANAC_WIRE(InstanceState, InstanceState)
ALMANAC_WIRE(Counters, Counters)
ALMANAC_WIRE(AccountingRecord, AccountingRecord)
ALMANAC_WIRE(Answer, Answer)
ALMANAC_WIRE(JournaledInput, JournaledInput)
ALMANAC_WIRE(door::Request, Request)
ALMANAC_WIRE(door::SealedRequest, SealedRequest)
ALMANAC_WIRE(door::Reply, Reply)
ALMANAC_WIRE(session::Envelope, Envelope)
ALMANAC_WIRE(session::Ticket, Ticket)
ALMANAC_WIRE(session::Credential, Credential)
ALMANAC_WIRE(session::Launch, Launch)
#undef ALMANAC_WIRE

} // namespace

template <class T> std::string encode(const T& record) {
  capnp::word scratch[512];
  std::memset(scratch, 0, sizeof scratch);
  capnp::MallocMessageBuilder message(kj::arrayPtr(scratch, 512));
  const auto root =
      message.initRoot<capnp::DynamicStruct>(capnp::Schema::from<typename WireOf<T>::Type>());
  write_struct(root, const_cast<T&>(record));
  const auto words = capnp::messageToFlatArray(message);
  const auto bytes = words.asChars();
  return {bytes.begin(), bytes.size()};
}

template <class T> Result<T> decode(std::string_view bytes) {
  if (bytes.empty() || bytes.size() % sizeof(capnp::word) != 0)
    return Error{"not a message: " + std::to_string(bytes.size()) + " bytes"};
  try {
    auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
    std::memcpy(words.begin(), bytes.data(), bytes.size());
    // Every word is read once; more is a message that points at its own parts again and again.
    const capnp::ReaderOptions options{2 * words.size() + 1024, 32};
    capnp::FlatArrayMessageReader message(words, options);
    T record{};
    read_struct(capnp::DynamicStruct::Reader(message.getRoot<capnp::DynamicStruct>(
                    capnp::Schema::from<typename WireOf<T>::Type>())),
                record);
    return record;
  } catch (const kj::Exception& exception) {
    return Error{std::string("a malformed message: ") + exception.getDescription().cStr()};
  } catch (const Error& error) {
    return error;
  }
}

#define ALMANAC_CODEC(type)                                                                        \
  template std::string encode<type>(const type&);                                                  \
  template Result<type> decode<type>(std::string_view);
ALMANAC_CODEC(Job)
ALMANAC_CODEC(Reservation)
ALMANAC_CODEC(ConfigurationObject)
ALMANAC_CODEC(HostState)
ALMANAC_CODEC(InstanceState)
ALMANAC_CODEC(Counters)
ALMANAC_CODEC(AccountingRecord)
ALMANAC_CODEC(Answer)
ALMANAC_CODEC(JournaledInput)
ALMANAC_CODEC(door::Request)
ALMANAC_CODEC(door::SealedRequest)
ALMANAC_CODEC(door::Reply)
ALMANAC_CODEC(session::Envelope)
ALMANAC_CODEC(session::Ticket)
ALMANAC_CODEC(session::Credential)
ALMANAC_CODEC(session::Launch)
#undef ALMANAC_CODEC

} // namespace almanac
