import type { DemoLearnings } from './learning.ts'

// Tide-tables: Python. Field-notes: Django.

export const surveysLearnings: DemoLearnings = {
  // tide-tables
  '741208830': [
    {
      text: "Heights are relative to chart datum, not to mean sea level. Put the datum into the column's name.",
      file: 'tides/harmonics.py',
      source: 'review',
      state: 'shared',
      ageDays: 316,
      uses: 11,
    },
    {
      text: 'Published tables are never recomputed. Corrections get an edition number.',
      source: 'review',
      state: 'shared',
      ageDays: 263,
      uses: 0,
    },
    {
      text: "A port's longitude is negative in the west. We once published high water for Plymouth in the German Bight.",
      file: 'tides/ports.csv',
      source: 'chat',
      state: 'shared',
      ageDays: 209,
      uses: 4,
    },
    {
      text: "Floats are rounded once, when printing: `round_half_up`, since Python's `round` goes to even and mariners complain.",
      source: 'review',
      state: 'shared',
      ageDays: 115,
      uses: 2,
    },
    {
      text: 'Leap seconds came up twice in reviews: tables are in UTC, predictions are computed in TT.',
      file: 'tides/',
      source: 'agent',
      state: 'pending',
      ageDays: 8,
      uses: 0,
    },
    {
      text: 'This notebook is for the paper, no need for tests.',
      file: 'notebooks/',
      source: 'review',
      state: 'private',
      ageDays: 6,
      uses: 0,
    },
  ],
  // field-notes
  '741208841': [
    {
      text: 'Positions of nesting sites are rounded to 1 km for anybody but the surveyor and the admin. This holds for exports and for the API as well.',
      file: 'notes/models.py',
      source: 'review',
      state: 'shared',
      ageDays: 244,
      uses: 5,
    },
    {
      text: 'Notes are written in the field without a network: accept a `recorded_at` up to 30 days old.',
      source: 'review',
      state: 'shared',
      ageDays: 178,
      uses: 0,
    },
    {
      text: 'CSV exports carry the licence and the season in the first two columns. Partners merge files and lose the names.',
      file: 'notes/exports.py',
      source: 'review',
      state: 'shared',
      ageDays: 82,
      uses: 1,
    },
    {
      text: 'Let everybody see exact positions, it is simpler.',
      source: 'chat',
      state: 'disapproved',
      ageDays: 69,
      uses: 0,
    },
  ],
}
