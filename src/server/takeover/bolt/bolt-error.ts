/**
 * The kind of fault of a Bolt file: no file of Bolt, a version of the format that is not known, a file that ends too
 * early, a file whose content contradicts itself, or a file that exceeds a limit of the reader.
 */
export type BoltFault = 'foreign' | 'version' | 'truncated' | 'damaged' | 'too-large'

/** A Bolt file that cannot be read. The message is one sentence that completes "the file …". */
export class BoltError extends Error {
  readonly fault: BoltFault

  constructor(fault: BoltFault, message: string) {
    super(message)
    this.fault = fault
  }
}
