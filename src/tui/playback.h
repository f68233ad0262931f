/* The run's time: on and on, by the epoch, and back to epochs that have been. */
#ifndef TUI_PLAYBACK_H
#define TUI_PLAYBACK_H

#include "tui/app.h"

/* Pause, resume or start; train one epoch more and pause. */
void ig_playback_train(ig_app *app);
void ig_playback_step(ig_app *app);

/* Look at another of the epochs kept, so many further on. */
void ig_playback_by(ig_app *app, int epochs);

/* Look at this epoch, or the last one before it that is kept. */
void ig_playback_at(ig_app *app, size_t epoch);

/* No longer look back; false: nobody did. */
bool ig_playback_end(ig_app *app);

/* What the epoch that is shown was: the one looked at, else the newest; or NULL. */
const ig_run_record *ig_playback_record(const ig_app *app);

/* --- replay ----------------------------------------------------------------------- */

/* A run once more: its epochs one after another, as fast as the eye can follow. */

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
