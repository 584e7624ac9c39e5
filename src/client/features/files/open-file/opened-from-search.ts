import { parentOf, type Path } from '../../../../shared/domain/path.ts'
import { filesUrl, location, navigate } from '../../../router/router.ts'
import { createPersonalStore } from '../../../state/personal.ts'
import { documentKey } from './edit-mode.ts'

/** The key of the history entry of the file that was opened from the results of a search, or an empty string. */
const openedKey = createPersonalStore('')

/**
 * Watches which files are opened while the address contains a search, so that closing such a file leads back to the results.
 * Returns the function that ends this.
 */
export function watchOpenedResults(): () => void {
  let wasSearch = isSearch()
  return location.subscribe(() => {
    const { screen, isFolder, key } = location.get()
    if (wasSearch && screen === 'files' && !isFolder) openedKey.set(key)
    wasSearch = isSearch()
  })
}

/** Closes an open file: returns to the search from which it was opened, or else opens its folder. */
export function closeFile(path: Path): void {
  const { key } = location.get()
  if (key === openedKey.get()) history.back()
  else if (openedKey.get() !== '' && documentKey() === openedKey.get()) history.go(-2)
  else navigate(filesUrl(parentOf(path), true))
}

const isSearch = (): boolean => new URLSearchParams(location.get().query).has('q')
