import { useRef, useState, type ReactNode } from 'react'
import type { FolderMenuSource } from '../breadcrumb/folder-menu.tsx'
import { lazyPart } from '../../../state/parts/lazy-part.ts'

/** A failed load ahead of time is reported only when the menu is opened. */
const { Part: FolderMenu, fetch: prepare } = lazyPart(
  async () => (await import('../breadcrumb/folder-menu.tsx')).FolderMenu,
)

type CrumbMenuProps = {
  readonly label: string
  readonly className: string | undefined
  readonly source: FolderMenuSource
  readonly children: ReactNode
}

/** Renders a button of the breadcrumb that opens a menu of folders. */
export function CrumbMenu({ label, className, source, children }: CrumbMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void prepare()}
        onFocus={() => void prepare()}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && <FolderMenu label={label} source={source} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
