/**
 * From where on what is seen in a PDF counts, each with a case that it decides. Shares are of 1, weights are factors,
 * lengths are in characters of the form of `plain`. `thresholds.test.ts` moves each of them.
 */
export const thresholds = {
  // Shares.
  all: 0.95, // One event in twenty is broken, as at the end of a page: what all others show is shown by all.
  nearlyAll: 0.9, // Of ten cells, one is broken across lines: the column is printed in full, its dates in that format.
  most: 0.8, // One event in five shows a comment elsewhere, or cut off: the column stands beside ids all the same.
  clear: 0.7, // A column of a table that is written line by line is broken: the other columns stand in order.
  half: 0.5, // A date alone is no format, a key alone no place: as many others must agree.
  inOnePlace: 0.4, // Ids in running text stand anywhere; in cards, some hundredths of them at one place.
  distinctDates: 0.2, // Days are shared by many events: printed without a time of day they still tell some apart.
  inPlaces: 0.1, // Cards stand side by side: the last page has fewer of them on the right.
  inTitles: 0.1, // A title names the first and the last time of 24 events; nothing else of them can be read.
  titled: 0.6, // The last pages have another foot, or none.

  // Weights.
  clearer: 1.2, // Sorted by position, columns that touch are mixed: the order of the file is kept if as good.
  likelier: 1.1, // The beginnings of ids in full are found as often as the ids.
  cut: 0.3, // Beginnings are the same for many comments.
  prose: 0.25, // Fonts and hyphens damage comments; ids and times stay whole.
  words: 0.02, // Of few events each has another type: types stand in titles too.

  // Lengths.
  eventLength: 5000, // Behind the last event stands an appendix.
  cutLengths: [24, 16, 12, 8], // Columns of different widths cut their cells.
  dividedLength: 20, // A page ends within the time of an event, with milliseconds and offset …
  dividedPart: 6, // … of which both parts are too long to be there by accident.
  partLength: 16, // A page ends within an id, or within a comment: half of it is there.
  ownWord: 12, // A word such as “assessment” stands in other events too.
  lookalikeLength: 12, // Dates of birth look like the days of events.
  wordLength: 8, // 07:05:00 stands in 17:05:00 too, and 1000042 in 31000042.
  beforeEllipsis: 8, // A cell that is too small shows the beginning of its id and “…”.
  keyLength: 6, // Numbers of five digits stand in ids …
  clockLength: 5, // … but where events have no ids, their times of day tell them apart.
  ownLength: 6, // A number of five digits stands in ids.
  textOfAnEvent: 4, // An empty file, or one with a title alone, holds no events: each has at least a time such as 7:05.

  // Numbers.
  proof: 3, // In bits: one of eight values beside an id is no accident.
  comparedEach: 300, // All events of a night have the same time.
  sampledGroups: 300, // Of thousands of events, some show on which side of ids a column stands …
  enoughAlone: 12, // … best those that share their id with no other …
  rowsOfAKey: 5, // … or else with few.
  sampledValues: 24, // Of thousands of values, some show whether a column is printed.
  firstDates: 3, // Hundreds of formats are tried: one in which none of three dates is there is none.
  wrongDates: 3, // Two dates of another event can be there by accident.
  columnOfWords: 100, // Types are words of a list; users and times are not.
  forms: 20, // Names have as many forms as letters.
  titledPages: 3, // An event that is there twice can stand at the same place of two pages.
  points: 2, // Base lines of one row differ where its fonts do.
};
