import { guestNameHeader, guestNoteHeader, uploadIdHeader } from '../../shared/contract/entry-headers.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'

/** The name and note that a guest enters for a file, and the id by which a repeated upload is recognised. */
export type GuestDetails = { readonly guest: string; readonly note: string; readonly uploadId: string }

/**
 * Reads the headers with which a guest describes a file. Throws `bad-request` for a text that is too long, is not
 * percent-encoded UTF-8 or contains control characters. A note may contain tabs and line breaks.
 */
export function guestDetailsOf(header: (name: string) => string | undefined): GuestDetails {
  const valueOf = ({ name }: { readonly name: string }): string => header(name.toLowerCase()) ?? ''
  const uploadId = valueOf(uploadIdHeader)
  if (!/^([\w-]{16,64})?$/.test(uploadId)) throw refused('the id of the upload is malformed')
  const guest = decoded(valueOf(guestNameHeader)).trim()
  const note = decoded(valueOf(guestNoteHeader)).replaceAll('\r\n', '\n').trim()
  if (Array.from(guest).length > limits.guestNameCharacters || /[\u0000-\u001F\u007F-\u009F]/.test(guest))
    throw refused('the name of the guest is too long or contains control characters')
  if (
    Array.from(note).length > limits.guestNoteCharacters ||
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/.test(note)
  )
    throw refused('the note is too long or contains control characters')
  return { guest, note, uploadId }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused('a text of the guest is not percent-encoded')
  }
}

const refused = (reason: string): AppError => new AppError('bad-request', { reason })
