import { splitName } from '../../../shared/domain/names.ts'
import { childOf, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { call, statusOf } from '../../api/call.ts'
import { notifyLosses } from '../../operations/outcomes/notify-losses.ts'
import { type DecodedText, decodeText } from '../viewers/text/text-format.ts'

/** A version of a file on the server: its tag, its size, and the time of its last change in milliseconds since 1970. */
export type FileVersion = { readonly etag: string; readonly sizeBytes: number; readonly modifiedMs: number }

/** A text as it was read from the server, with its version. */
export type LoadedText = DecodedText & FileVersion

/** @throws CallError, and the `AbortError` of the signal. */
export async function loadText(path: Path, signal: AbortSignal): Promise<LoadedText> {
  const response = await call('raw.get', { path, query: { inline: true }, signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { ...decodeText(bytes), ...versionOf(response, bytes.length) }
}

/**
 * Returns the current version of a file.
 * @throws CallError, and the `AbortError` of the signal.
 */
export async function readVersion(path: Path, signal: AbortSignal): Promise<FileVersion> {
  const response = await call('raw.get', { path, isHead: true, signal })
  return versionOf(response, Number(response.headers.get('content-length')))
}

const versionOf = ({ headers }: Response, sizeBytes: number): FileVersion => ({
  etag: headers.get('etag') ?? '*',
  sizeBytes,
  modifiedMs: Date.parse(headers.get('last-modified') ?? '') || Date.now(),
})

/**
 * Saves a text under the path of a file that was deleted, and returns the tag of the new version.
 * @throws CallError when the server refuses, with status 409 when the path is taken again.
 */
export async function saveAgain(path: Path, body: BodyInit): Promise<string> {
  const response = await call('resources.create', { path, body })
  return response.headers.get('etag') ?? '*'
}

/**
 * Saves a text and returns the tag of the new version. With a tag, the server refuses with status 412 when the file has
 * another version by now.
 * @throws CallError when the server refuses.
 */
export async function saveText(path: Path, body: BodyInit, etag: string | null): Promise<string> {
  const response = await call('resources.save', {
    path,
    body,
    ...(etag !== null && { headers: { 'If-Match': etag } }),
  })
  notifyLosses(response)
  return response.headers.get('etag') ?? '*'
}

/** The number of names that are tried for a copy. */
const maxCopies = 100

/**
 * Saves a text as a new file beside a file, with a number in its name. Returns the path of the new file, or null when
 * all names are taken.
 * @throws CallError when the server refuses for another reason.
 */
export async function saveCopy(path: Path, body: BodyInit): Promise<Path | null> {
  const { stem, extension } = splitName(nameOf(path))
  for (let copy = 1; copy <= maxCopies; copy += 1) {
    const target = childOf(parentOf(path), `${stem}(${copy})${extension}`)
    if (target === null) return null
    try {
      await call('resources.create', { path: target, body })
      return target
    } catch (thrown) {
      if (statusOf(thrown) !== 409) throw thrown
    }
  }
  return null
}
