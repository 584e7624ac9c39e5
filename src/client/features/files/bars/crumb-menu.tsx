import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import type { FolderMenuSource } from '../breadcrumb/folder-menu.tsx'

const load = () => import('../breadcrumb/folder-menu.tsx').then(({ FolderMenu }) => ({ default: FolderMenu }))
const FolderMenu = lazy(load)

/** Loads the menu's code ahead of time. A failed load is reported only when the menu is opened. */
const prepare = (): void => void load().catch(() => undefined)

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
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense>
          <FolderMenu label={label} source={source} anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
