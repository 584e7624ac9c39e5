import type { Path } from '../../shared/domain/path.ts'
import { href } from '../api/href.ts'

/**
 * Starts the browser's download of one file. The session cookie authorises the request, so the URL contains no secret.
 */
export function downloadFile(path: Path, name: string): void {
  const link = document.createElement('a')
  link.href = href('raw.get', { path })
  link.download = name
  link.click()
}
