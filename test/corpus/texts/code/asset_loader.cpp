#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace fs = std::filesystem;

namespace game {

struct Texture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;
};

struct Sound {
    std::uint32_t sample_rate = 0;
    std::uint16_t channels = 0;
    std::vector<std::int16_t> samples;
};

struct Script {
    std::string source;
    std::vector<std::string> includes;
};

using Asset = std::variant<Texture, Sound, Script>;
using AssetPtr = std::shared_ptr<const Asset>;

class LoadError : public std::runtime_error {
public:
    LoadError(const fs::path& path, const std::string& what) : std::runtime_error(path.string() + ": " + what) {}
};

/// Hands out assets by name. Search path: mods in load order, then the base game.
class AssetLoader {
public:
    explicit AssetLoader(fs::path base, std::size_t budget_bytes = 256u << 20)
        : base_(std::move(base)), budget_(budget_bytes)
    {
        register_format(".tga", [](const fs::path& path, std::span<const std::uint8_t> bytes) -> Asset {
            return decode_tga(path, bytes);
        });
        register_format(".wav", [](const fs::path& path, std::span<const std::uint8_t> bytes) -> Asset {
            return decode_wav(path, bytes);
        });
        register_format(".lua", [](const fs::path&, std::span<const std::uint8_t> bytes) -> Asset {
            return decode_script(bytes);
        });
    }

    using Decoder = std::function<Asset(const fs::path&, std::span<const std::uint8_t>)>;

    void register_format(std::string extension, Decoder decoder) { decoders_[std::move(extension)] = std::move(decoder); }

    /// Later mods are asked first.
    void add_mod(fs::path directory)
    {
        if (!fs::is_directory(directory)) {
            throw LoadError(directory, "not a directory");
        }
        mods_.push_back(fs::canonical(directory));
        cache_.clear();
        used_ = 0;
    }

    AssetPtr load(std::string_view name)
    {
        const std::string key = normalize(name);
        if (auto found = cache_.find(key); found != cache_.end()) {
            found->second.last_use = ++clock_;
            ++hits_;
            return found->second.asset;
        }
        ++misses_;
        const fs::path path = locate(key);
        const std::vector<std::uint8_t> bytes = read_file(path);
        const auto decoder = decoders_.find(path.extension().string());
        if (decoder == decoders_.end()) {
            throw LoadError(path, "no decoder for this kind of file");
        }
        auto asset = std::make_shared<const Asset>(decoder->second(path, bytes));
        const std::size_t size = size_of(*asset);
        make_room(size);
        cache_.emplace(key, Entry{asset, size, ++clock_});
        used_ += size;
        return asset;
    }

    const Texture& texture(std::string_view name) { return get<Texture>(name); }
    const Sound& sound(std::string_view name) { return get<Sound>(name); }

    /// A script and everything it includes, in the order in which it has to run.
    std::vector<std::string> script_order(std::string_view name)
    {
        std::vector<std::string> order;
        std::unordered_set<std::string> done;
        std::unordered_set<std::string> open;
        visit_script(normalize(name), order, done, open);
        return order;
    }

    void print_stats(std::ostream& out) const
    {
        out << "assets: " << cache_.size() << " cached, " << used_ / 1024 << " KiB of " << budget_ / 1024 << ", "
            << hits_ << " hits, " << misses_ << " misses\n";
    }

private:
    struct Entry {
        AssetPtr asset;
        std::size_t bytes;
        std::uint64_t last_use;
    };

    template <class T>
    const T& get(std::string_view name)
    {
        AssetPtr asset = load(name);
        if (const T* typed = std::get_if<T>(asset.get())) {
            return *typed;
        }
        throw LoadError(fs::path(name), "is of another kind");
    }

    void visit_script(const std::string& name, std::vector<std::string>& order,
                      std::unordered_set<std::string>& done, std::unordered_set<std::string>& open)
    {
        if (done.contains(name)) {
            return;
        }
        if (!open.insert(name).second) {
            throw LoadError(fs::path(name), "includes itself");
        }
        const AssetPtr asset = load(name);
        for (const std::string& include : std::get<Script>(*asset).includes) {
            visit_script(normalize(include), order, done, open);
        }
        open.erase(name);
        done.insert(name);
        order.push_back(name);
    }

    fs::path locate(const std::string& key) const
    {
        for (auto mod = mods_.rbegin(); mod != mods_.rend(); ++mod) {
            fs::path candidate = *mod / key;
            if (fs::is_regular_file(candidate)) {
                return candidate;
            }
        }
        fs::path candidate = base_ / key;
        if (fs::is_regular_file(candidate)) {
            return candidate;
        }
        throw LoadError(fs::path(key), "neither in a mod nor in the base game");
    }

    static std::string normalize(std::string_view name)
    {
        std::string result;
        for (char c : name) {
            result.push_back(c == '\\' ? '/' : static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        }
        const fs::path clean = fs::path(result).lexically_normal();
        if (clean.is_absolute() || clean.string().starts_with("..")) {
            throw LoadError(fs::path(name), "leaves the asset directory");
        }
        return clean.generic_string();
    }

    /// Evicts what nobody uses, least recently used first, until `wanted` bytes fit.
    void make_room(std::size_t wanted)
    {
        while (used_ + wanted > budget_) {
            auto victim = cache_.end();
            for (auto it = cache_.begin(); it != cache_.end(); ++it) {
                if (it->second.asset.use_count() > 1) {
                    continue;
                }
                if (victim == cache_.end() || it->second.last_use < victim->second.last_use) {
                    victim = it;
                }
            }
            if (victim == cache_.end()) {
                return;
            }
            used_ -= victim->second.bytes;
            cache_.erase(victim);
        }
    }

    static std::vector<std::uint8_t> read_file(const fs::path& path)
    {
        std::ifstream in(path, std::ios::binary | std::ios::ate);
        if (!in) {
            throw LoadError(path, "cannot be opened");
        }
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(in.tellg()));
        in.seekg(0);
        in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!in) {
            throw LoadError(path, "ended early");
        }
        return bytes;
    }

    static std::uint16_t u16(std::span<const std::uint8_t> bytes, std::size_t at)
    {
        return static_cast<std::uint16_t>(bytes[at] | (bytes[at + 1] << 8));
    }

    static std::uint32_t u32(std::span<const std::uint8_t> bytes, std::size_t at)
    {
        return u16(bytes, at) | (static_cast<std::uint32_t>(u16(bytes, at + 2)) << 16);
    }

    static Texture decode_tga(const fs::path& path, std::span<const std::uint8_t> bytes)
    {
        if (bytes.size() < 18) {
            throw LoadError(path, "too short for a TGA header");
        }
        const std::uint8_t id_length = bytes[0];
        const std::uint8_t kind = bytes[2];
        const std::uint8_t depth = bytes[16];
        const bool top_down = (bytes[17] & 0x20) != 0;
        if (kind != 2 || (depth != 24 && depth != 32)) {
            throw LoadError(path, "only uncompressed true colour is supported");
        }
        Texture texture;
        texture.width = u16(bytes, 12);
        texture.height = u16(bytes, 14);
        const std::size_t step = depth / 8;
        const std::size_t start = 18u + id_length;
        const std::size_t pixels = std::size_t{texture.width} * texture.height;
        if (bytes.size() < start + pixels * step) {
            throw LoadError(path, "has fewer pixels than its header says");
        }
        texture.rgba.resize(pixels * 4);
        for (std::uint32_t row = 0; row < texture.height; ++row) {
            const std::uint32_t target_row = top_down ? row : texture.height - 1 - row;
            for (std::uint32_t column = 0; column < texture.width; ++column) {
                const std::uint8_t* from = &bytes[start + (std::size_t{row} * texture.width + column) * step];
                std::uint8_t* to = &texture.rgba[(std::size_t{target_row} * texture.width + column) * 4];
                to[0] = from[2];
                to[1] = from[1];
                to[2] = from[0];
                to[3] = step == 4 ? from[3] : 255;
            }
        }
        return texture;
    }

    static Sound decode_wav(const fs::path& path, std::span<const std::uint8_t> bytes)
    {
        if (bytes.size() < 12 || std::memcmp(bytes.data(), "RIFF", 4) != 0 ||
            std::memcmp(bytes.data() + 8, "WAVE", 4) != 0) {
            throw LoadError(path, "not a WAVE file");
        }
        Sound sound;
        std::uint16_t bits = 0;
        for (std::size_t at = 12; at + 8 <= bytes.size();) {
            const std::string_view id(reinterpret_cast<const char*>(&bytes[at]), 4);
            const std::size_t size = u32(bytes, at + 4);
            const std::size_t body = at + 8;
            if (size > bytes.size() - body) {
                throw LoadError(path, "chunk runs past the end");
            }
            if (id == "fmt " && size >= 16) {
                if (u16(bytes, body) != 1) {
                    throw LoadError(path, "only PCM is supported");
                }
                sound.channels = u16(bytes, body + 2);
                sound.sample_rate = u32(bytes, body + 4);
                bits = u16(bytes, body + 14);
            } else if (id == "data") {
                if (bits != 16) {
                    throw LoadError(path, "only 16 bits per sample are supported");
                }
                sound.samples.resize(size / 2);
                for (std::size_t i = 0; i < sound.samples.size(); ++i) {
                    sound.samples[i] = static_cast<std::int16_t>(u16(bytes, body + i * 2));
                }
            }
            at = body + size + (size & 1);
        }
        return sound;
    }

    static Script decode_script(std::span<const std::uint8_t> bytes)
    {
        Script script;
        script.source.assign(bytes.begin(), bytes.end());
        std::istringstream lines(script.source);
        for (std::string line; std::getline(lines, line);) {
            constexpr std::string_view mark = "--@include ";
            if (line.starts_with(mark)) {
                script.includes.push_back(line.substr(mark.size()));
            }
        }
        return script;
    }

    static std::size_t size_of(const Asset& asset)
    {
        struct Visitor {
            std::size_t operator()(const Texture& texture) const { return texture.rgba.size(); }
            std::size_t operator()(const Sound& sound) const { return sound.samples.size() * sizeof(std::int16_t); }
            std::size_t operator()(const Script& script) const { return script.source.size(); }
        };
        return std::visit(Visitor{}, asset);
    }

    fs::path base_;
    std::vector<fs::path> mods_;
    std::unordered_map<std::string, Decoder> decoders_;
    std::unordered_map<std::string, Entry> cache_;
    std::size_t budget_;
    std::size_t used_ = 0;
    std::uint64_t clock_ = 0;
    std::uint64_t hits_ = 0;
    std::uint64_t misses_ = 0;
};

}  // namespace game
