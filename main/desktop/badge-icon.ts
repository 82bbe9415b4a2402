/** A filled circle, 16 × 16: the mark Windows lays over the icon in the task bar while something needs somebody. */
export const BADGE_ICON = [
  "data:image/png;base64,",
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAZklEQVR42mM4yi/PgAeLQjFONdgEzYF4ERC/AeL/UPwG",
  "KmZOyIBaJE24cC0uA4jRjGEIsrP/k4jNkQ1YRIYBi5ANeEOGAW9gBoiSoRmGRaliAMVeoEogUhyNFCckqiRlqmQmkrMz",
  "AEdvkTx9jDxwAAAAAElFTkSuQmCC",
].join("");
