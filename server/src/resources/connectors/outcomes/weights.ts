/**
 * What each kind of evidence adds: positive = accepted. The weights were chosen by hand on the calibration cases of
 * evals/data/outcomes; kinds that are not listed say nothing.
 */
export const weights: ReadonlyMap<string, number> = new Map(
  Object.entries({
    lines_changed: 2,
    lines_beside: 1.5,
    lines_deleted: 0.5,
    lines_unchanged: -2,
    lines_formatted: -2,
    lines_moved: -2,
    no_later_commit: -3,
    suggestion_followed: 3,
    suggestion_elsewhere: 3,
    suggestion_not_followed: -2,
    description_followed: 2,
    description_not_followed: -1.5,
    commit_names_review: 2,
    commit_names_finding: 2,
    commit_names_other: -1,
    commit_applies_other: -2,
    commit_merges_base: -3,
    fixing_reply: 3.5,
    agreeing_reply: 1.5,
    thumbs_up: 1,
    declining_reply: -3.5,
    // By its likeness to labelled replies.
    declining_reply_alike: -2,
    thumbs_down: -2,
    command_wrong: -6,
    command_wontfix: -6,
    command_later: -2,
    bot_addressed: 1.5,
    bot_dismissed: -1.5,
    fix_resolved_by_person: 1.5,
    thread_unresolved: -1.5,
  }),
)

/** A sum of at least this decides, in either direction. */
export const ENOUGH = 3.5

/** Somebody said no. */
export const declining: ReadonlySet<string> = new Set([
  'declining_reply',
  'declining_reply_alike',
  'thumbs_down',
  'command_wrong',
  'command_wontfix',
])
