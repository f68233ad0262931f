/* The preset objectives: the files of assets/objectives, built in by make. */
#ifndef LEARN_PRESETS_H
#define LEARN_PRESETS_H

struct ig_preset {
    const char *name;
    const char *text;
};

/* Ends with a zeroed entry. */
extern const struct ig_preset ig_presets[];

#endif
