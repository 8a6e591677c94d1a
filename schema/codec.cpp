#include "schema/codec.hpp"

#include "core/planning/input.hpp"
#include "core/utilization/usage_span.hpp"
#include "schema/door.capnp.h"
#include "schema/earlier_records.hpp"
#include "schema/inputs.capnp.h"
#include "schema/link.capnp.h"
#include "schema/link_frame.hpp"
#include "schema/records.capnp.h"
#include "schema/session.capnp.h"

#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/schema.h>
#include <capnp/serialize.h>
#include <kj/exception.h>

#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <limits>

namespace almanac {

namespace {

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

// Where something lies in the encoding of its struct: a pointer by its index, a number by how many
// of its size come before it, a truth by its bit.
struct FieldSlot {
  std::uint32_t offset = 0;
  capnp::StructSchema inner; ///< of a struct, of the elements of a list
};

// All that is asked of the schema, once for each type.
struct Layout {
  std::uint16_t words = 0, pointers = 0;
  std::vector<FieldSlot>
      fields; ///< in the order in which describe() visits them; of a union, by index
  std::uint32_t discriminant = 0;

  explicit Layout(capnp::StructSchema schema) {
    const auto node = schema.getProto().getStruct();
    words = node.getDataWordCount(), pointers = node.getPointerCount();
    discriminant = node.getDiscriminantOffset();
  }
};

template <class T> constexpr bool is_scalar_time =
    std::is_same_v<T, Instant> || std::is_same_v<T, Duration>;

// What is written as the number that it holds.
template <class T> auto& number_in(T& value) {
  if constexpr (IsId<T>) return value.value;
  else if constexpr (is_scalar_time<T>) return value.seconds;
  else return value;
}
template <class T> constexpr bool holds_number = is_scalar_time<T> || IsId<T>;

// The type that a number, a time or an enumeration has in the schema.
template <class T> constexpr auto wire_type() {
  if constexpr (std::is_same_v<T, bool>) return capnp::schema::Type::BOOL;
  else if constexpr (holds_number<T>) return capnp::schema::Type::INT64;
  else if constexpr (std::is_enum_v<T>) return capnp::schema::Type::UINT16;
  else if constexpr (std::is_same_v<T, std::uint64_t>) return capnp::schema::Type::UINT64;
  else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return capnp::schema::Type::INT64;
  }
}

FieldSlot place_of(capnp::StructSchema::Field field) {
  FieldSlot place{field.getProto().getSlot().getOffset(), {}};
  const auto type = field.getType();
  if (type.isStruct()) place.inner = type.asStruct();
  if (type.isList() && type.asList().getElementType().isStruct())
    place.inner = type.asList().getStructElementType();
  return place;
}

// Looks up the schema's fields in the order in which describe() visits them.
struct FieldFinder {
  static constexpr bool only_looks = true;
  capnp::StructSchema schema;
  Layout& layout;

  template <class T> void operator()(const char* name, T&) {
    if constexpr (IsText<T>) find<std::string>(name);
    else find<T>(name);
  }
  template <class T> void find(const char* name) {
    KJ_IF_MAYBE (field, schema.findFieldByName(camel_case(name))) {
      check_type<T>(name, *field);
      layout.fields.push_back(place_of(*field));
    } else complain(name, "is missing");
  }
  template <class T> void check_type(const char* name, capnp::StructSchema::Field field) const {
    if (field.getProto().getSlot().getHadExplicitDefault()) complain(name, "has a default value");
    if constexpr (holds_number<T> || std::is_enum_v<T> || std::is_integral_v<T>)
      if (field.getType().which() != wire_type<T>()) complain(name, "has another type");
  }
  [[noreturn]] void complain(const std::string& name, const char* what) const {
    throw Bug("in the schema of " + std::string(schema.getProto().getDisplayName().cStr()) +
              " the field " + name + " " + what);
  }
};

template <class T> const Layout& layout_of(capnp::StructSchema schema) {
  static const Layout layout = [&] {
    Layout found(schema);
    if constexpr (is_variant<T>::value) {
      for (const auto field : schema.getUnionFields()) found.fields.push_back(place_of(field));
    } else {
      T sample{};
      FieldFinder finder{schema, found};
      describe(finder, sample);
    }
    return found;
  }();
  return layout;
}

// Numbers are written as they lie in memory.
static_assert(std::endian::native == std::endian::little);

// ---- encoding ---------------------------------------------------------------------------------

template <class T> void write(capnp::AnyStruct::Builder into, const Layout& layout, T& value);

template <class T>
void write_struct(capnp::AnyPointer::Builder pointer, capnp::StructSchema schema, T& value) {
  const auto& layout = layout_of<T>(schema);
  write(pointer.initAsAnyStruct(layout.words, layout.pointers), layout, value);
}

template <class T> void write_list(capnp::AnyPointer::Builder pointer, capnp::StructSchema inner,
                                   std::vector<T>& values) {
  const auto size = static_cast<unsigned>(values.size());
  if constexpr (std::is_same_v<T, std::string>) {
    auto list = pointer.initAs<capnp::List<capnp::Text>>(size);
    for (unsigned i = 0; i < size; ++i)
      list.set(i, capnp::Text::Reader(values[i].c_str(), values[i].size()));
  } else if constexpr (holds_number<T> || std::is_integral_v<T>) {
    auto list = pointer.initAs<capnp::List<std::int64_t>>(size);
    for (unsigned i = 0; i < size; ++i) list.set(i, number_in(values[i]));
  } else {
    const auto& layout = layout_of<T>(inner);
    auto list = pointer.initAsListOfAnyStruct(layout.words, layout.pointers, size);
    for (unsigned i = 0; i < size; ++i) write(list[i], layout, values[i]);
  }
}

struct Writer {
  static constexpr bool only_looks = true;
  capnp::byte* data;
  capnp::List<capnp::AnyPointer>::Builder pointers;
  const FieldSlot* next;

  template <class T> void operator()(const char*, T& value) {
    if constexpr (IsText<T>) {
      auto text = value.text();
      put_field(text);
    } else put_field(value);
  }
  template <class T> void put_field(T& value) {
    const auto& place = *next++;
    if constexpr (std::is_same_v<T, std::string>) {
      if (!value.empty())
        pointers[place.offset].setAs<capnp::Text>(capnp::Text::Reader(value.c_str(), value.size()));
    } else if constexpr (std::is_same_v<T, Bytes>) {
      const auto& content = value.content;
      if (!content.empty())
        pointers[place.offset].setAs<capnp::Data>(capnp::Data::Reader(
            reinterpret_cast<const capnp::byte*>(content.data()), content.size()));
    } else if constexpr (std::is_same_v<T, bool>) {
      if (value) data[place.offset / 8] |= static_cast<capnp::byte>(1 << place.offset % 8);
    } else if constexpr (holds_number<T>) put(place, number_in(value));
    else if constexpr (std::is_enum_v<T>) put(place, static_cast<std::uint16_t>(value));
    else if constexpr (std::is_integral_v<T>) put(place, value);
    else if constexpr (is_vector<T>::value) {
      if (!value.empty()) write_list(pointers[place.offset], place.inner, value);
    } else write_struct(pointers[place.offset], place.inner, value);
  }
  template <class T> void put(const FieldSlot& place, T value) {
    std::memcpy(data + place.offset * sizeof value, &value, sizeof value);
  }
};

template <class T> void write(capnp::AnyStruct::Builder into, const Layout& layout, T& value) {
  Writer writer{into.getDataSection().begin(), into.getPointerSection(), layout.fields.data()};
  if constexpr (is_variant<T>::value) {
    writer.put({layout.discriminant, {}}, static_cast<std::uint16_t>(value.index()));
    const auto& place = layout.fields[value.index()];
    std::visit([&](auto& one) { write_struct(writer.pointers[place.offset], place.inner, one); },
               value);
  } else describe(writer, value);
}

// ---- decoding ---------------------------------------------------------------------------------

template <class T> void read(capnp::AnyStruct::Reader from, const Layout& layout, T& value);

// Programs, files and variables end a text at its first NUL: what is behind it would mean something
// else to each of them. Bytes may hold it.
std::string read_text(capnp::Text::Reader text) {
  if (text.size() > 0 && std::memchr(text.begin(), 0, text.size()))
    throw Error{"a text holds a NUL character"};
  return {text.begin(), text.size()};
}

template <class T>
void read_struct(capnp::AnyPointer::Reader pointer, capnp::StructSchema schema, T& value) {
  read(pointer.getAs<capnp::AnyStruct>(), layout_of<T>(schema), value);
}

// An element may say that it has no words at all, so that a few bytes announce a million of them.
// Those of an older version have fewer words than ours, but not that few.
void check_size(capnp::AnyStruct::Reader element, const Layout& layout) {
  constexpr std::size_t most_growth = 4;
  const auto bytes = element.getDataSection().size() + 8 * element.getPointerSection().size();
  if (bytes * most_growth < 8u * (layout.words + layout.pointers))
    throw Error{"a list of elements with nothing in them"};
}

template <class T> void read_list(capnp::AnyPointer::Reader pointer, capnp::StructSchema inner,
                                  std::vector<T>& values) {
  if (pointer.isNull()) return;
  if constexpr (std::is_same_v<T, std::string>) {
    for (const auto text : pointer.getAs<capnp::List<capnp::Text>>())
      values.push_back(read_text(text));
  } else if constexpr (holds_number<T> || std::is_integral_v<T>) {
    for (const auto number : pointer.getAs<capnp::List<std::int64_t>>())
      values.push_back(T{number});
  } else {
    const auto& layout = layout_of<T>(inner);
    const auto list = pointer.getAs<capnp::AnyList>().as<capnp::List<capnp::AnyStruct>>();
    if (list.size() > 0) check_size(list[0], layout);
    values.reserve(list.size());
    for (const auto element : list) read(element, layout, values.emplace_back());
  }
}

// What an older version did not write is empty.
struct Reader {
  kj::ArrayPtr<const capnp::byte> data;
  capnp::List<capnp::AnyPointer>::Reader pointers;
  const FieldSlot* next;

  template <class T> void operator()(const char* name, T& value) {
    if constexpr (IsText<T>) {
      std::string text;
      take_field(name, text);
      auto parsed = T::parse(text);
      if (!parsed) throw parsed.error();
      value = std::move(*parsed);
    } else take_field(name, value);
  }
  template <class T> void take_field(const char* name, T& value) {
    const auto& place = *next++;
    if constexpr (std::is_same_v<T, bool>) {
      const auto byte = place.offset / 8;
      value = byte < data.size() && (data[byte] >> place.offset % 8 & 1);
    } else if constexpr (holds_number<T>) number_in(value) = get<std::int64_t>(place);
    else if constexpr (std::is_enum_v<T>) {
      const auto number = get<std::uint16_t>(place);
      if (number > static_cast<std::uint64_t>(last_of<T>))
        throw Error{std::string("field ") + name + " holds an unknown value"};
      value = static_cast<T>(number);
    } else if constexpr (std::is_integral_v<T>) value = get<T>(place);
    else if (place.offset < pointers.size()) follow(pointers[place.offset], place, value);
  }
  template <class T> T get(const FieldSlot& place) const {
    T value{};
    if ((place.offset + 1) * sizeof value <= data.size())
      std::memcpy(&value, data.begin() + place.offset * sizeof value, sizeof value);
    return value;
  }
  template <class T>
  static void follow(capnp::AnyPointer::Reader pointer, const FieldSlot& place, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      value = read_text(pointer.getAs<capnp::Text>());
    } else if constexpr (std::is_same_v<T, Bytes>) {
      const auto bytes = pointer.getAs<capnp::Data>();
      value.content.assign(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
    } else if constexpr (is_vector<T>::value) read_list(pointer, place.inner, value);
    else read_struct(pointer, place.inner, value);
  }
};

template <class T, std::size_t I = 0>
void read_alternative(const Reader& reader, const Layout& layout, T& variant, std::size_t index) {
  if constexpr (I < std::variant_size_v<T>) {
    if (index != I) return read_alternative<T, I + 1>(reader, layout, variant, index);
    const auto& place = layout.fields[I];
    auto& alternative = variant.template emplace<I>();
    if (place.offset < reader.pointers.size())
      read_struct(reader.pointers[place.offset], place.inner, alternative);
  } else throw Error{"an alternative that this version does not know"};
}

template <class T> void read(capnp::AnyStruct::Reader from, const Layout& layout, T& value) {
  Reader reader{from.getDataSection(), from.getPointerSection(), layout.fields.data()};
  if constexpr (is_variant<T>::value)
    read_alternative(reader, layout, value, reader.get<std::uint16_t>({layout.discriminant, {}}));
  else describe(reader, value);
}

// ---- which schema -----------------------------------------------------------------------------

template <class T> struct WireOf;
#define ALMANAC_WIRE(type, wire_name)                                                              \
  template <> struct WireOf<type> { using Type = wire::wire_name; };
#define KIND(type, table, family) ALMANAC_WIRE(type, type)
#include "core/records/kinds.def"
#undef KIND
ALMANAC_WIRE(store::JobOfFormat1, Job)
ALMANAC_WIRE(ConfigurationObject, ConfigurationObject)
ALMANAC_WIRE(Counters, Counters)
ALMANAC_WIRE(AccountingRecord, AccountingRecord)
ALMANAC_WIRE(AccountingGlance, AccountingRecord)
ALMANAC_WIRE(Letter, Letter)
ALMANAC_WIRE(HookCall, HookCall)
ALMANAC_WIRE(ReportingRecord, ReportingRecord)
ALMANAC_WIRE(UsageSpan, UsageSpan)
ALMANAC_WIRE(Answer, Answer)
ALMANAC_WIRE(JournaledInput, JournaledInput)
ALMANAC_WIRE(door::Request, Request)
ALMANAC_WIRE(door::SealedRequest, SealedRequest)
ALMANAC_WIRE(door::Reply, Reply)
ALMANAC_WIRE(door::ShownJob, Job)
ALMANAC_WIRE(door::ReservationView, ReservationView)
ALMANAC_WIRE(session::Envelope, Envelope)
ALMANAC_WIRE(session::Ticket, Ticket)
ALMANAC_WIRE(session::Credential, Credential)
ALMANAC_WIRE(session::ClientCredential, ClientCredential)
ALMANAC_WIRE(session::Launch, Launch)
ALMANAC_WIRE(session::Order, Order)
ALMANAC_WIRE(LinkFrame, LinkFrame)
ALMANAC_WIRE(KeyGrant, KeyGrant)
ALMANAC_WIRE(door::RunCommand, RunCommand)
#undef ALMANAC_WIRE

} // namespace

template <class T> std::string encode(const T& record) {
  capnp::word scratch[512];
  std::memset(scratch, 0, sizeof scratch);
  capnp::MallocMessageBuilder message(kj::arrayPtr(scratch, 512));
  write_struct(message.getRoot<capnp::AnyPointer>(),
               capnp::Schema::from<typename WireOf<T>::Type>(), const_cast<T&>(record));
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
    read_struct(message.getRoot<capnp::AnyPointer>(),
                capnp::Schema::from<typename WireOf<T>::Type>(), record);
    return record;
  } catch (const kj::Exception& exception) {
    return Error{std::string("a malformed message: ") + exception.getDescription().cStr()};
  } catch (const Error& error) {
    return error;
  }
}

template <class T> std::string canonical(const T& record) {
  capnp::MallocMessageBuilder message;
  write_struct(message.getRoot<capnp::AnyPointer>(),
               capnp::Schema::from<typename WireOf<T>::Type>(), const_cast<T&>(record));
  const auto words = message.getRoot<capnp::AnyStruct>().asReader().canonicalize();
  const auto bytes = words.asChars();
  return {bytes.begin(), bytes.size()};
}

template <class T> Result<T> decode_canonical(std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) return Error{"too many bytes"};
  // In front of a message stands the number of its segments less one, and the words of each.
  const std::array<std::uint32_t, 2> front{
      0, static_cast<std::uint32_t>(bytes.size() / sizeof(capnp::word))};
  std::string message(sizeof front, '\0');
  std::memcpy(message.data(), front.data(), sizeof front);
  auto record = decode<T>(message.append(bytes));
  if (record && canonical(*record) != bytes) return Error{"not in canonical form"};
  return record;
}

#define ALMANAC_CODEC(type)                                                                        \
  template std::string encode<type>(const type&);                                                  \
  template Result<type> decode<type>(std::string_view);
#define KIND(type, table, family) ALMANAC_CODEC(type)
#include "core/records/kinds.def"
#undef KIND
ALMANAC_CODEC(store::JobOfFormat1)
ALMANAC_CODEC(ConfigurationObject)
ALMANAC_CODEC(Counters)
ALMANAC_CODEC(AccountingRecord)
ALMANAC_CODEC(AccountingGlance)
ALMANAC_CODEC(Letter)
ALMANAC_CODEC(HookCall)
ALMANAC_CODEC(ReportingRecord)
ALMANAC_CODEC(UsageSpan)
ALMANAC_CODEC(Answer)
ALMANAC_CODEC(JournaledInput)
ALMANAC_CODEC(door::Request)
ALMANAC_CODEC(door::SealedRequest)
ALMANAC_CODEC(door::Reply)
ALMANAC_CODEC(door::ShownJob)
ALMANAC_CODEC(door::ReservationView)
ALMANAC_CODEC(session::Envelope)
ALMANAC_CODEC(session::Ticket)
ALMANAC_CODEC(session::Credential)
ALMANAC_CODEC(session::ClientCredential)
ALMANAC_CODEC(session::Launch)
ALMANAC_CODEC(session::Order)
ALMANAC_CODEC(LinkFrame)
ALMANAC_CODEC(KeyGrant)
#undef ALMANAC_CODEC
template std::string canonical<KeyGrant>(const KeyGrant&);
template std::string canonical<door::RunCommand>(const door::RunCommand&);
template Result<KeyGrant> decode_canonical<KeyGrant>(std::string_view);

} // namespace almanac
