import type { Path } from '../../shared/domain/path.ts'
import { href } from '../api/href.ts'

/**
 * Has the browser download one file. The session's cookie authorises the request, so that the address contains no
 * secret.
 */
export function downloadFile(path: Path, name: string): void {
  const link = document.createElement('a')
  link.href = href('raw.get', { path })
  link.download = name
  link.click()
}
