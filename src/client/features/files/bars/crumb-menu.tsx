import { useRef, useState, type ReactNode } from 'react'
import type { FolderMenuSource } from '../breadcrumb/folder-menu.tsx'
import { WaitingMenu } from '../../../ui/later-menu.ts'
import { filesAfterRows } from '../parts/load-after-rows.ts'

const FolderMenu = filesAfterRows.part((module) => module.FolderMenu, WaitingMenu)

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
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && <FolderMenu label={label} source={source} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
