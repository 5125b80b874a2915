// Interchange with the real numpy.

#include <cstdlib>

#include "npz_test_support.h"
#include <fmt/format.h>

namespace spindrift::io {
namespace {

/// Runs a script that sees `path`; numpy is `np`.
int run_numpy(const std::filesystem::path& path, const std::string& script) {
    const std::filesystem::path file = path.parent_path() / "script.py";
    put_file(file, fmt::format("import numpy as np\npath = '{}'\n{}\n", path.string(), script));
    return std::system(fmt::format("/usr/bin/python3 {}", file.string()).c_str());
}

class NpzNumpy : public testing::Test {
  protected:
    void SetUp() override {
        if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
            GTEST_SKIP() << "numpy is not installed";
    }

    TestFolder folder_;
    std::filesystem::path path_ = folder_ / "x.npz";
};

TEST_F(NpzNumpy, numpy_reads_our_frames) {
    ChannelSet channels;
    auto P = channels.add("P", {ScalarType::f32, 3}, 2).as<Vec3f>();
    P[0] = {1, 2, 3};
    P[1] = {4, 5, 6.5f};
    auto id = channels.add("id", {ScalarType::i64, 1}, 2).as<std::int64_t>();
    id[0] = -1;
    id[1] = std::int64_t{1} << 60;
    for (const auto scalar : {ScalarType::f64, ScalarType::i8, ScalarType::u8, ScalarType::i16, ScalarType::u16,
                              ScalarType::i32, ScalarType::u32, ScalarType::u64}) {
        ChannelArray& channel = channels.add(std::string(dtype_name(scalar)), {scalar, 1}, 2);
        std::memset(channel.data(), 0, channel.size_bytes());
    }
    write_npz(path_, channels);
    EXPECT_EQ(run_numpy(path_, R"(
f = np.load(path)
assert f['P'].dtype == np.float32 and f['P'].tolist() == [[1, 2, 3], [4, 5, 6.5]]
assert f['id'].dtype == np.int64 and f['id'].tolist() == [-1, 1 << 60]
for name in f.files[2:]: assert f[name].dtype == np.dtype(name) and f[name].tolist() == [0, 0], name
assert f.zip.testzip() is None
)"),
              0);
}

TEST_F(NpzNumpy, empty_frames_are_read_by_numpy) {
    write_npz(path_, sample_channels(0));
    EXPECT_EQ(run_numpy(path_, "f = np.load(path); assert f['P'].shape == (0, 3) and f['id'].shape == (0,)"), 0);
    write_npz(path_, ChannelSet{});
    EXPECT_EQ(run_numpy(path_, "assert np.load(path).files == []"), 0);
}

TEST_F(NpzNumpy, archives_of_numpy_are_read_plain_and_compressed) {
    for (const char* save : {"savez", "savez_compressed"}) {
        ASSERT_EQ(run_numpy(path_, fmt::format(R"(
n = 100000
np.{}(path, P=np.arange(3 * n, dtype='f4').reshape(n, 3), id=np.arange(n), m=np.ones(n), flag=np.arange(n) % 2 == 1,
      u=np.arange(n).astype('u1'), one=np.asfortranarray(np.arange(n, dtype='i2').reshape(n, 1)))
)",
                                               save)),
                  0);
        const ChannelSet channels = read_npz(path_);
        ASSERT_EQ(channels.channels.size(), 6u);
        ASSERT_EQ(channels.size(), 100000u);
        EXPECT_EQ(channels.find("P")->as<Vec3f>()[70000], (Vec3f{210000, 210001, 210002}));
        EXPECT_EQ(channels.find("id")->as<std::int64_t>()[99999], 99999);
        EXPECT_EQ(channels.find("m")->as<double>()[5], 1);
        EXPECT_EQ(channels.find("flag")->as<std::uint8_t>()[5], 1);
        EXPECT_EQ(channels.find("u")->as<std::uint8_t>()[300], 44);
        EXPECT_EQ(channels.find("one")->type(), (ChannelType{ScalarType::i16, 1}));
    }
}

TEST_F(NpzNumpy, later_header_versions_are_read) {
    ASSERT_EQ(run_numpy(path_, R"(
import zipfile
from numpy.lib import format
with zipfile.ZipFile(path, 'w') as z:
    for version in ((1, 0), (2, 0), (3, 0)):
        with z.open('v%d.npy' % version[0], 'w') as f: format.write_array(f, np.arange(4, dtype='f4'), version=version)
)"),
              0);
    const ChannelSet channels = read_npz(path_);
    ASSERT_EQ(channels.channels.size(), 3u);
    for (const ChannelArray& channel : channels.channels)
        EXPECT_EQ(channel.as<float>()[3], 3.f);
}

TEST_F(NpzNumpy, what_is_no_channel_is_refused_in_one_sentence) {
    const std::pair<const char*, const char*> cases[] = {
        {"np.array([{}, {}], dtype=object)", "channel 'x' holds Python objects; numbers are needed"},
        {"np.array(['a', 'b'])", "channel 'x' holds text; numbers are needed"},
        {"np.zeros(3, '>f4')", "channel 'x' is big-endian; save it with .astype('<f4')"},
        {"np.zeros(3, 'f2')", "channel 'x' has the type 'f2'"},
        {"np.zeros(3, 'c8')", "channel 'x' has the type 'c8'"},
        {"np.float32(1)", "channel 'x' is a single value"},
        {"np.zeros((2, 3, 3), 'f4')", "channel 'x' has 3 dimensions"},
        {"np.zeros((2, 0), 'f4')", "channel 'x' has 0 values for each particle"},
        {"np.zeros(2, [('a', 'f4')])", "channel 'x' is a table of several columns"},
        {"np.asfortranarray(np.zeros((2, 3), 'f4'))", "channel 'x' is in Fortran order"},
    };
    for (const auto& [value, sentence] : cases) {
        ASSERT_EQ(run_numpy(path_, fmt::format("np.savez(path, x={})", value)), 0);
        expect_io_error(IoError::Kind::corrupt, sentence, [&] { read_npz(path_); });
        expect_io_error(IoError::Kind::corrupt, sentence, [&] { list_npz(path_); });
    }
    ASSERT_EQ(run_numpy(path_, "np.savez(path, a=np.zeros(3), b=np.zeros(4))"), 0);
    expect_io_error(IoError::Kind::corrupt, "channel 'b' has 4 particles but 'a' has 3", [&] { read_npz(path_); });
}

}  // namespace
}  // namespace spindrift::io
