/**
 * The source from which a worker reads a text: the message itself, or a URL of the page's own origin that needs no
 * header.
 */
export type TextSource = { readonly kind: 'text' | 'address'; readonly value: string }

/** The properties of a view of a text that a worker reads. */
export type TextViewProps = {
  readonly name: string
  readonly source: TextSource
  /** Called when the file cannot be read. Null for a text that is already here. */
  readonly onBroken: (() => void) | null
}

/** Receives a text piece by piece. */
export type TextReceiver = {
  /** Called with the next piece. Returns false when no more pieces are wanted. */
  readonly onPiece: (piece: string) => boolean
  /** Called when the bytes turn out to have another encoding. The pieces begin again from the start of the text. */
  readonly onRestart: () => void
  /** The encoding of the bytes. Without one, it is guessed. */
  readonly encoding?: string | null
  readonly signal: AbortSignal
}

/** The length of the first piece, in characters: some hundred rows, so that the first rows are shown at once. */
const firstLength = 64 * 1024
/** The length of the other pieces, in characters. A piece is processed in about 30 ms. */
const pieceLength = 1024 * 1024

/**
 * Reads a text in pieces, and lets the worker answer messages between two of them.
 * @throws when the server refuses or the connection fails, and the reason of the signal.
 */
export async function readText({ kind, value }: TextSource, receiver: TextReceiver): Promise<void> {
  if (kind === 'text') return readString(value, receiver)
  const isRead = await readAddress(value, receiver, receiver.encoding ?? null)
  if (isRead) return undefined
  receiver.onRestart()
  await readAddress(value, receiver, 'windows-1252')
  return undefined
}

async function readString(text: string, { onPiece, signal }: TextReceiver): Promise<void> {
  let start = 0
  while (start < text.length) {
    const end = start + (start === 0 ? firstLength : pieceLength)
    if (!onPiece(text.slice(start, end))) return
    start = end
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
  }
}

/**
 * Reads the text at a URL. Without a given encoding, a byte order mark decides, and UTF-8 is assumed without one. Returns
 * false when the bytes are not in this encoding.
 */
async function readAddress(
  address: string,
  { onPiece, signal }: TextReceiver,
  encoding: string | null,
): Promise<boolean> {
  const response = await fetch(address, { signal })
  if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}.`)
  let decoder: TextDecoder | null = null
  let piece = ''
  let wanted = firstLength
  for await (const bytes of response.body) {
    decoder ??= new TextDecoder(encoding ?? encodingOf(bytes), { fatal: encoding === null })
    const text = decode(decoder, bytes)
    if (text === null) return false
    piece += text
    if (piece.length < wanted) continue
    if (!onPiece(piece)) return true
    piece = ''
    wanted = pieceLength
  }
  const last = decoder === null ? '' : decode(decoder)
  if (last === null) return false
  if (piece + last !== '') onPiece(piece + last)
  return true
}

/** Decodes bytes, or the end of the stream. Returns null when the bytes are not in the encoding. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string | null {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    return null
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}
