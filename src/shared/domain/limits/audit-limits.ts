/**
 * The maximum sizes in bytes of the parts of an event of the audit log, as JSON in UTF-8 (docs/decisions, 101). Longer texts are
 * cut. Together, they make an event of about 9 KB at most.
 */
export const auditEventLimits = {
  /** Half of PATH_MAX. An event has two paths, and hardly any real path is longer. */
  pathBytes: 2048,
  /** A user name has at most 255 bytes, of which each quotation mark takes two in JSON. */
  usernameBytes: 512,
  /** The hash of a share in the URL of a guest may be any text. */
  sessionBytes: 128,
  addressBytes: 64,
  /** One text in the details, such as the line of a command or the name of a program. */
  textBytes: 1024,
  /** One item of a list in the details. File systems permit names of 255 bytes. */
  itemBytes: 255,
  /** One list in the details: ten names of the maximum length. */
  listBytes: 2600,
  /** All details together: a text and a list. */
  detailsBytes: 3700,
} as const

/** The sum of the sizes above, and 500 bytes for the names of the members, the time, the action and the outcome. */
export const auditEventBytes =
  2 * auditEventLimits.pathBytes +
  auditEventLimits.usernameBytes +
  auditEventLimits.sessionBytes +
  auditEventLimits.addressBytes +
  auditEventLimits.detailsBytes +
  500
