/** For the author of a script whose loading does not come to an end. */
export const adviceOnLoading =
  'Look for a loop or an await that stands outside of all functions and does not end.';
