import type { Path } from '../../shared/domain/path.ts'
import { href } from '../api/href.ts'

/** Lets the browser fetch one file. The cookie of the session authorises it; nothing secret stands in the address. */
export function downloadFile(path: Path, name: string): void {
  const link = document.createElement('a')
  link.href = href('raw.get', { path })
  link.download = name
  link.click()
}
