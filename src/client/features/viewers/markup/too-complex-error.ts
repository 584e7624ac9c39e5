/** Thrown for a document that would keep the browser busy for seconds. */
export class TooComplexError extends Error {
  constructor() {
    super('The document has too many elements, or elements that are too deep inside of each other.')
  }
}
