#include "agent/load_sensors.hpp"

#include "schema/sensor_order.hpp"

#include <algorithm>
#include <cerrno>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t time_to_quit_ms = 1'000;
constexpr std::int64_t first_pause_ms = 5'000, longest_pause_ms = 600'000;
constexpr std::int64_t most_unanswered = 10;
constexpr std::size_t most_bytes_a_question = 256 << 10;

std::int64_t file_changed(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return 0;
  return static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec;
}

void write_to(int file, std::string_view text) {
  // One that does not read has a full pipe some time: the next question comes.
  if (file >= 0 && ::write(file, text.data(), text.size()) < 0) return;
}

void close_file(int& file) {
  if (file >= 0) ::close(std::exchange(file, -1));
}

} // namespace

LoadSensors::~LoadSensors() {
  for (auto& sensor : sensors_) quit(sensor);
}

void LoadSensors::use(const Bytes& order, const Bytes& signature, std::int64_t now_ms) {
  std::vector<std::string> programs;
  if (!order.content.empty()) {
    auto parsed = parse_sensor_order(order.content);
    if (!parsed) return spdlog::warn("{}", parsed.what());
    programs = std::move(parsed->programs);
  }
  const bool is_same = std::equal(
      programs.begin(), programs.end(), sensors_.begin(), sensors_.end(),
      [](const std::string& program, const Sensor& sensor) { return program == sensor.program; });
  // The helper takes the order that it has taken before at any time; another one only for a minute.
  if (is_same && std::any_of(sensors_.begin(), sensors_.end(),
                             [](const Sensor& sensor) { return sensor.is_there(); }))
    return;
  order_ = order, signature_ = signature;
  if (is_same) return;
  for (auto& sensor : sensors_) {
    if (sensor.is_there()) end_at_ms_ = now_ms + time_to_quit_ms;
    quit(sensor);
  }
  sensors_.clear();
  for (auto& program : programs) sensors_.emplace_back(std::move(program), host_);
}

void LoadSensors::go_on(std::int64_t now_ms) {
  if (end_at_ms_ == 0 || now_ms < end_at_ms_) return;
  end_at_ms_ = 0;
  HelperRequest request;
  request.verb = HelperVerb::sense, request.command = "end";
  helper_.ask(request);
  if (!sensors_.empty()) ask(now_ms); // their order is good for a minute only
}

void LoadSensors::ask(std::int64_t now_ms) {
  go_on(now_ms);
  if (end_at_ms_ != 0) return; // those before have not ended
  for (std::size_t at = 0; at < sensors_.size(); ++at) {
    auto& sensor = sensors_[at];
    if (sensor.is_there() && sensor.unanswered >= most_unanswered)
      part(sensor, "it answers nothing");
    if (sensor.is_there() && sensor.file_changed != file_changed(sensor.program)) {
      part(sensor, "its file is another one");
      sensor.next_start_ms = now_ms + time_to_quit_ms, sensor.pause_ms = 0;
    }
    if (sensor.is_there()) question(sensor);
    else if (now_ms >= sensor.next_start_ms) start(at, now_ms);
  }
}

void LoadSensors::start(std::size_t at, std::int64_t now_ms) {
  auto& sensor = sensors_[at];
  sensor.pause_ms = std::clamp(2 * sensor.pause_ms, first_pause_ms, longest_pause_ms);
  sensor.next_start_ms = now_ms + sensor.pause_ms;
  HelperRequest request;
  request.verb = HelperVerb::sense, request.command = "start";
  request.call = static_cast<std::int64_t>(at);
  request.warrant = order_, request.signature = signature_;
  auto started = helper_.ask(request);
  if (!started.reply.refusal.empty())
    return spdlog::warn("load sensor {} is not started: {}", sensor.program, started.reply.refusal);
  sensor.input = started.take("input"), sensor.output = started.take("output");
  sensor.file_changed = file_changed(sensor.program);
  sensor.unanswered = 0;
  spdlog::info("load sensor {} is started", sensor.program);
  question(sensor);
}

void LoadSensors::question(Sensor& sensor) {
  ++sensor.unanswered, sensor.bytes_read = 0;
  write_to(sensor.input, "\n");
}

void LoadSensors::add_to(ReadyFiles& files) {
  for (auto& entry : sensors_) {
    auto& sensor = entry;
    if (sensor.bytes_read < most_bytes_a_question)
      files.add(sensor.output, POLLIN, [this, &sensor] { hear(sensor); });
  }
}

void LoadSensors::hear(Sensor& sensor) {
  char buffer[4096];
  const auto size = ::read(sensor.output, buffer, sizeof buffer);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) return part(sensor, "it has ended");
  sensor.bytes_read += static_cast<std::size_t>(size);
  if (sensor.report.take({buffer, static_cast<std::size_t>(size)}))
    sensor.unanswered = 0, sensor.pause_ms = 0;
  if (sensor.told_dropped == 0 && sensor.report.dropped() > 0) {
    sensor.told_dropped = sensor.report.dropped();
    spdlog::warn(
        "load sensor {}: what is not HOST:NAME:VALUE of this host or of global, between begin "
        "and end, is dropped: {}",
        sensor.program, sensor.report.first_dropped());
  }
}

void LoadSensors::part(Sensor& sensor, const char* why) {
  spdlog::warn("load sensor {} is started anew: {}", sensor.program, why);
  quit(sensor);
}

void LoadSensors::quit(Sensor& sensor) {
  write_to(sensor.input, "quit\n");
  close_file(sensor.input), close_file(sensor.output);
  sensor.report = SensorReport(sensor.report.host());
}

std::vector<LoadValue> LoadSensors::values() const {
  std::vector<LoadValue> all;
  for (const auto& sensor : sensors_)
    for (const auto& said : sensor.report.values()) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const LoadValue& one) {
        return one.name == said.name && one.host == said.host;
      });
      if (same != all.end()) same->value = said.value;
      else if (all.size() < most_load_values) all.push_back(said);
    }
  return all;
}

} // namespace almanac
