// Broken, cut and lying archives: one sentence each, never a crash.

#include "npz_test_support.h"

#include "spindrift/core/atomic_file.h"

namespace spindrift::io {
namespace {

using Kind = IoError::Kind;

constexpr int mutations = 2000;

class NpzDamage : public testing::Test {
  protected:
    std::string valid_frame(std::size_t particles) {
        write_npz(path_, sample_channels(particles));
        return read_file(path_);
    }
    /// Either the file is read or an IoError says why not.
    void expect_survival(int seed) {
        for (const auto& read :
             {std::function<void()>([&] { read_npz(path_); }), std::function([&] { list_npz(path_); })}) {
            try {
                read();
            } catch (const IoError& error) {
                EXPECT_EQ(error.kind(), Kind::corrupt) << "seed " << seed << ": " << error.what();
            } catch (const std::exception& error) {
                ADD_FAILURE() << "seed " << seed << ": " << error.what();
            }
        }
    }
    void expect_refused(const std::string& sentence) {
        expect_io_error(Kind::corrupt, sentence, [&] { read_npz(path_); });
    }

    TestFolder folder_;
    std::filesystem::path path_ = folder_ / "x.npz";
};

TEST_F(NpzDamage, one_flipped_bit_of_the_values_is_found) {
    const std::string valid = valid_frame(50);
    for (std::size_t at = 200; at < 800; at += 50) {
        std::string flipped = valid;
        flipped[at] = static_cast<char>(flipped[at] ^ 4);
        put_file(path_, flipped);
        expect_refused("frame is damaged: channel 'P' fails its checksum; run `spindrift resume` to compute it again");
    }
}

TEST_F(NpzDamage, a_flipped_bit_of_an_array_header_is_found_by_the_checksum) {
    std::string valid = valid_frame(50);
    valid[valid.find("'descr'") + 2] ^= 1;
    put_file(path_, valid);
    expect_refused("frame is damaged: channel 'P' fails its checksum");
}

TEST_F(NpzDamage, every_cut_is_found) {
    const std::string valid = valid_frame(5);
    for (std::size_t length = 0; length < valid.size(); ++length) {
        put_file(path_, valid.substr(0, length));
        expect_refused(length < 4 ? "this is not a .npz archive" : "frame is damaged: it is cut off");
    }
}

TEST_F(NpzDamage, what_is_no_archive_is_said) {
    put_file(path_, "just some text that is long enough to be looked at");
    expect_refused("this is not a .npz archive");
    put_file(path_, "");
    expect_refused("this is not a .npz archive");
    expect_io_error(Kind::missing, "there is no such file", [&] { read_npz(folder_ / "none.npz"); });
    expect_io_error(Kind::missing, "this is a folder", [&] { read_npz(folder_.path()); });
}

TEST_F(NpzDamage, foreign_files_inside_are_named) {
    put_zip(path_, {{"readme.txt", "hello"}});
    expect_refused("'readme.txt' inside is not an array");
    put_zip(path_, {{".npy", "hello"}});
    expect_refused("'.npy' inside is not an array");
    put_zip(path_, {{"P.npy", "hello"}});
    expect_refused("channel 'P' is not an array in numpy's format");
    put_zip(path_, {{"P.npy", ""}});
    expect_refused("channel 'P' is not an array in numpy's format");
}

TEST_F(NpzDamage, names_that_are_there_twice_are_refused) {
    // Two names of the same length; the second is renamed in place.
    const std::string array = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "1234");
    put_zip(path_, {{"P.npy", array}, {"Q.npy", array}});
    std::string bytes = read_file(path_);
    for (std::size_t at; (at = bytes.find("Q.npy")) != std::string::npos;)
        bytes[at] = 'P';
    put_file(path_, bytes);
    expect_refused("channel 'P' is there twice");
}

TEST_F(NpzDamage, shapes_that_lie_are_found_before_memory_is_asked_for) {
    const auto header = [](const std::string& shape) {
        return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n", std::string(24, 'x'));
    };
    for (const char* shape : {"(7,)", "(5,)", "(2, 4)", "(0,)", "(1000000000000000000,)", "(4611686018427387910,)",
                              "(4611686018427387906, 4)"}) {
        for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
            put_zip(path_, {{"P.npy", header(shape)}}, method);
            expect_refused("channel 'P' promises");
        }
    }
    put_zip(path_, {{"P.npy", header("(0, 99999999999)")}});
    expect_refused("99999999999 values for each particle");
    put_zip(path_, {{"P.npy", header("(99999999999999999999999,)")}});
    expect_refused("has a header that is not readable");
    put_zip(path_, {{"P.npy", header("(-6,)")}});
    expect_refused("has a header that is not readable");
    put_zip(path_, {{"P.npy", header("(2, 3)")}});
    EXPECT_EQ(read_npz(path_).find("P")->type().width, 3);
}

TEST_F(NpzDamage, odd_but_legal_headers_are_read) {
    for (const char* dictionary : {"{'shape':(6,),'fortran_order':False,'descr':'<f4'}",
                                   "{ \"descr\" : \"=f4\" , "
                                   "'fortran_order' : True,\n 'shape' : ( 6 ) }  \n"}) {
        for (const char version : {1, 2, 3}) {
            put_zip(path_, {{"P.npy", npy(dictionary, std::string(24, 'x'), version)}});
            EXPECT_EQ(read_npz(path_).size(), 6u);
        }
    }
}

TEST_F(NpzDamage, headers_that_are_no_dictionary_are_refused) {
    const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }";
    for (const std::string& bad :
         {std::string("{}"), std::string("garbage"), good + "x", good.substr(0, 40), good.substr(1),
          std::string("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (6,), }"),
          std::string("{'descr': '', 'fortran_order': False, 'shape': (6,), }"),
          std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}")}) {
        put_zip(path_, {{"P.npy", npy(bad, std::string(24, 'x'))}});
        expect_refused("channel 'P' has a header that is not readable");
    }
    put_zip(path_, {{"P.npy", npy(good, std::string(24, 'x'), 9)}});
    expect_refused("channel 'P' has the unknown .npy version 9");
    put_zip(path_, {{"P.npy", npy(good, "").substr(0, 30)}});
    expect_refused("channel 'P' is shorter than its header");
}

TEST_F(NpzDamage, sizes_that_the_file_cannot_hold_are_refused) {
    const std::string valid = valid_frame(5);
    const std::size_t directory = valid.find("PK\x01\x02");
    for (const std::size_t field : {20, 24}) {
        std::string lying = valid;
        lying.replace(directory + field, 4, "\xff\xff\xff\x7f");
        put_file(path_, lying);
        expect_refused("'P.npy' claims more than the file can hold");
    }
}

TEST_F(NpzDamage, random_changes_of_a_frame_never_crash) {
    const std::string valid = valid_frame(4);
    for (int seed = 0; seed < mutations; ++seed) {
        put_file(path_, mutate(valid, static_cast<std::uint64_t>(seed)));
        expect_survival(seed);
    }
}

TEST_F(NpzDamage, random_changes_behind_a_right_checksum_never_crash) {
    const std::string array =
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3), }       \n", std::string(48, 'x'));
    for (int seed = 0; seed < mutations; ++seed) {
        const std::string changed = mutate(array, static_cast<std::uint64_t>(seed));
        put_zip(path_, {{"P.npy", changed}, {"v.npy", array}}, seed % 2 ? ZIP_CM_STORE : ZIP_CM_DEFLATE);
        expect_survival(seed);
    }
}

TEST_F(NpzDamage, random_changes_of_a_compressed_frame_never_crash) {
    const std::string array =
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (400, 3), }\n", std::string(4800, 'x'));
    put_zip(path_, {{"P.npy", array}, {"v.npy", array}}, ZIP_CM_DEFLATE);
    const std::string valid = read_file(path_);
    for (int seed = 0; seed < mutations; ++seed) {
        put_file(path_, mutate(valid, static_cast<std::uint64_t>(seed)));
        expect_survival(seed);
    }
}

}  // namespace
}  // namespace spindrift::io
