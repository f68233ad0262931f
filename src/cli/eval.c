/* isogloss eval: every measure of a set and of runs on it. Nothing is printed before
 * all is measured, so that what is printed is whole. */
#include "cli/commands.h"
#include "cli/eval_print.h"
#include "cli/eval_report.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"

static int check_usage(const ig_options *options)
{
    if (options->json && options->csv)
        ig_complain("eval prints one form: --json or --csv, not both");
    else if (options->split > IG_PART_ALL && !options->run && !options->method)
        ig_complain("--split %s is that of a run: it needs --run RUN or --method NAME",
                    ig_part_name((ig_part)options->split));
    else
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

static void tell(void *context, const char *what, double share)
{
    ig_progress_share(context, what, share);
}

static ig_status measure(ig_evaluated *e, const ig_options *options, ig_error *error)
{
    ig_progress progress;
    ig_status status;

    ig_progress_init(&progress, options->quiet);
    status = ig_evaluated_measure(e, ig_interrupt_flag(), tell, &progress, error);
    ig_progress_end(&progress);
    return status;
}

/* `reported`: the report is written. */
static int print(const ig_evaluated *e, bool reported)
{
    size_t columns = ig_terminal_columns(stdout);

    if (e->options->json)
        return ig_eval_put_json(e);
    if (e->options->csv)
        ig_eval_put_csv(stdout, e);
    else
        ig_eval_put_table(stdout, e, columns ? columns : 80, ig_locale_utf8());
    if (reported && !e->options->csv)
        ig_eval_put_lines(stdout, "written", e->options->report,
                          columns ? columns : 80);
    return IG_EXIT_OK;
}

/* Measure all that is asked for. */
static ig_status take(ig_evaluated *e, const ig_options *options, ig_error *error)
{
    ig_status status = options->report ? ig_eval_report_check(options, error) : IG_OK;

    if (status == IG_OK)
        status = ig_evaluated_open(e, options, error);
    if (status == IG_OK)
        status = measure(e, options, error);
    return status == IG_OK && ig_interrupted() ? IG_INTERRUPTED : status;
}

/* Write the report, then print: the figures are had whatever became of it. */
static ig_status tell_all(const ig_evaluated *e, int *code, ig_error *error)
{
    bool report = e->options->report != NULL;
    ig_status status = report ? ig_eval_report(e, error) : IG_OK;

    if (status != IG_INTERRUPTED)
        *code = print(e, report && status == IG_OK);
    return status;
}

int ig_eval_command(const ig_options *options)
{
    ig_evaluated e = {0};
    ig_error error = {0};
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    ig_interrupt_catch(IG_INTERRUPT_SECOND);
    status = take(&e, options, &error);
    if (status == IG_OK)
        status = tell_all(&e, &code, &error);
    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    else if (status != IG_OK)
        code = ig_fail_exit(&error);
    if (status == IG_INTERRUPTED && !options->quiet)
        ig_complain("interrupted; nothing was measured to its end");
    ig_evaluated_free(&e);
    return code;
}
