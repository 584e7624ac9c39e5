import type { Path } from '../../shared/domain/path.ts'
import { Link } from '../router/link.tsx'
import { filesUrl } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { PathText } from '../ui/direction/path-text.tsx'
import { namesOfPlace } from './names-of-place.ts'

type PathLinkProps = {
  readonly path: Path
  readonly isFolder: boolean
  /** The displayed names, where they do not begin at the user's own top folder. */
  readonly names?: readonly string[]
}

/** Renders a path of the user's files as a link that opens the entry. The path of the open entry is no link. */
export function PathLink({ path, isFolder, names = namesOfPlace(path) }: PathLinkProps) {
  const open = useLocation()
  const text = <PathText names={names} />
  if (open.screen === 'files' && open.path === path) return text
  return <Link to={filesUrl(path, isFolder)}>{text}</Link>
}
