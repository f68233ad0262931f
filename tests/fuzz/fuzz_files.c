/* Files of any format, known by how they begin: tables, archives, tensors, JSON Lines,
 * word vectors, what is packed. */
#define SEEDS                                                                          \
    SEED("\x93NUMPY\x01\x00\x3a\x00{'descr': '<f4', 'fortran_order': False, 'shape': " \
         "(1, 2)}abcdefgh"),                                                           \
        SEED("\x93NUMPY\x02\x00\x39\x00\x00\x00{'descr': '>f2', 'fortran_order': "     \
             "True, "                                                                  \
             "'shape': (2, 2)}abcdefgh"),                                              \
        SEED("\x93NUMPY\x03\x00\x39\x00\x00\x00{'descr': '<f8', 'fortran_order': "     \
             "True, "                                                                  \
             "'shape': (1, 1)}abcdefgh"),                                              \
        SEED(                                                                          \
            "{\"lang\":\"en\",\"embedding\":[1,2],\"x\":1}\n{\"embedding\":[3,4]}\n"), \
        SEED("# a\n1.5 2\n 3  4e1 \n"), SEED("1;2\n3;4\n"),                            \
        SEED("lang,id,text,topic,v0,v1\nen,1,a,x,1,2\nde,1,b,y,3,4\nen,2,c,x,5,6\n"    \
             "de,2,\"d\",,7,8\n"),                                                     \
        SEED("lang,0\nen,1\nde,2\n"), SEED("2 3\nthe 1 2 3\n. . -4e1 5 .6\n"),         \
        SEED("the 1 2 3\r\ncat\t4\t5\tnan \r\n"),                                      \
        SEED("lang,embedding\nen,\"[1, 2]\"\nde,[3 4]\n"),                             \
        SEED("\x48\x00\x00\x00\x00\x00\x00\x00"                                        \
             "{\"a\":{\"dtype\":\"BF16\",\"shape\":[2,2],\"data_offsets\":[0,8]}}"     \
             "               abcdefgh")

#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ig_dataset_options said = {.lang = "en"},
                                    finite = {.drop_invalid = true};
    static const char *const file = "x", *const of_language = "de=x";

    enter_folder();
    scratch_write(file, data, size);
    walk_data(&file, 1, NULL);
    walk_data(&file, 1, &said);
    walk_data(&file, 1, &finite);
    walk_data(&of_language, 1, NULL);
    return 0;
}
