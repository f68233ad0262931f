/* The demo as a talk: the original map stands, training is paced, and the last frame is
 * a finding and what to try next; one line of narration for each phase. */
#pragma once

#include "explorer/app.h"

/* The line for the current phase, if there is one. */
void ig_narration_line(const ig_app *app, char *out, size_t size);

/* Begin with the original map; training follows after some seconds or at a key. */
void ig_talk_open(ig_app *app);

/* A key is pressed; true: it only ended the waiting. */
bool ig_talk_key(ig_app *app, ig_key key);

/* Do what is due; seconds until then, or -1. */
double ig_talk_tick(ig_app *app);

/* The keys to try next at the end, as ig_overlay.keys; false: not there yet. */
bool ig_talk_menu(const ig_app *app, char *out, size_t size);
