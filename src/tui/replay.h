/* A run once more: its epochs one after another, as fast as the eye can follow. */
#ifndef TUI_REPLAY_H
#define TUI_REPLAY_H

#include "tui/app.h"

/* Begin with the first epoch that is kept, or go on from the one that is looked at;
 * pause where it goes. */
void ig_replay_toggle(ig_app *app);

/* Another pace. */
void ig_replay_pace(ig_app *app);

/* Seconds until the next epoch is to be asked for, < 0: not before something comes; and
 * asking for it, when it is time. True: it has ended, which is to be drawn. */
double ig_replay_waits(const ig_app *app);
bool ig_replay_tick(ig_app *app);

/* Seconds that points take from one epoch to another. */
double ig_replay_span(const ig_app *app);

#endif
