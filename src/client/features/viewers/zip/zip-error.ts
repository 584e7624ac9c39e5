/**
 * The reason why something in a ZIP file cannot be read: it is damaged, encrypted, larger than a limit, or compressed in a
 * way that browsers do not know.
 */
export type ZipFault = 'damaged' | 'encrypted' | 'too-large' | 'unsupported'

export class ZipError extends Error {
  readonly fault: ZipFault
  constructor(fault: ZipFault) {
    super(`The ZIP file cannot be read: ${fault}`)
    this.fault = fault
  }
}
