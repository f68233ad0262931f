/* Training, past epochs and versions: start, pause, step, look back, replay. */
#pragma once

#include "explorer/app.h"

/* Pause, resume or start; train one epoch more and pause. */
void ig_playback_train(ig_app *app);
void ig_playback_step(ig_app *app);

/* Show the kept epoch this many steps later (or earlier). */
void ig_playback_by(ig_app *app, int epochs);

/* Show this epoch, or the last kept one before it. */
void ig_playback_at(ig_app *app, size_t epoch);

/* Show a version, or the one `by` places later; a replay and a run of another end. */
void ig_version_show(ig_app *app, size_t version);
void ig_version_step(ig_app *app, int by);

/* Start the replay at the first kept epoch, resume it at the one shown, or pause. */
void ig_replay_toggle(ig_app *app);

/* Request the next epoch when it is due. Seconds until then; < 0: none is. */
double ig_replay_tick(ig_app *app);

/* The demo as a talk: the line of narration for the current phase, if there is one. */
void ig_narration_line(const ig_app *app, char *out, size_t size);

/* Begin with the original map; training follows after some seconds or at a key. */
void ig_talk_open(ig_app *app);

/* Do what is due; seconds until then, or -1. */
double ig_talk_tick(ig_app *app);

/* The keys to try next at the end, as ig_overlay.keys; false: not there yet. */
bool ig_talk_menu(const ig_app *app, char *out, size_t size);
