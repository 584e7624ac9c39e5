import { bytesOfName, isText } from '../../shared/domain/name-bytes.ts'

/** A name as an archive holds it: the bytes that it has on disk, and whether those are UTF-8. */
export function nameOnWire(name: string): { readonly bytes: Buffer; readonly isUtf8: boolean } {
  if (isText(name)) return { bytes: Buffer.from(name, 'utf8'), isUtf8: true }
  // Names that are joined may have bytes that only make sense apart.
  const parts = name.split('/').map((part) => Buffer.from(bytesOfName(part) ?? Buffer.from(part)))
  const bytes = Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [slash, part])))
  return { bytes, isUtf8: false }
}

const slash = Buffer.from('/')
