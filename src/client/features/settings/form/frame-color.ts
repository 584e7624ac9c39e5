/** Matches texts that CSS accepts as a colour, but that mean nothing outside of an element. */
const dependsOnElement = /var\(|env\(|^(?:inherit|initial|unset|revert|revert-layer|currentcolor)$/i

/** Returns true for a colour that a browser accepts for its frame, and for an empty text. */
export const isFrameColor = (text: string): boolean =>
  text === '' || (CSS.supports('color', text) && !dependsOnElement.test(text.trim()))
