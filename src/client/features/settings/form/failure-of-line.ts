import type { JsonOf } from '../../../api/call-options.ts'

type AuditEvent = JsonOf<'audit.list'>['events'][number]

/**
 * Returns the first of the events that is a failure of a line. A trial that the server refused is none, because its program was not
 * run.
 */
export const failureOfLine = (
  failures: readonly AuditEvent[],
  event: string,
  line: string,
): AuditEvent | undefined =>
  failures.find(
    ({ details }) =>
      details['event'] === event && details['trial'] !== true && isRecordOf(details['line'], line),
  )

/** Matches a text that the audit log has cut: its start, and the number of bytes of the whole text. */
const cutText = /^(.*)… \[(\d+) bytes, SHA-256 [0-9a-f]{16}\]$/s

/** Returns true when the audit log contains `recorded` in place of a text. Of a long text it contains the start and the length. */
function isRecordOf(recorded: unknown, text: string): boolean {
  if (typeof recorded !== 'string') return false
  if (recorded === text) return true
  const [, head = '', sizeBytes] = cutText.exec(recorded) ?? []
  return (
    sizeBytes !== undefined &&
    text.startsWith(head) &&
    new TextEncoder().encode(text).length === Number(sizeBytes)
  )
}
