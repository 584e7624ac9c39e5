import type { ReactNode } from 'react'
import { Download } from 'lucide'
import { LinkButton } from '../../ui/link-button.tsx'
import {
  type ShareDownload,
  shareDownloadHref,
  startShareDownload,
  useDownloadBlock,
} from './share-download.ts'
import styles from './share-page.module.css'

type DownloadLinkProps = {
  readonly download: ShareDownload
  readonly onRefused: (thrown: unknown) => void
  /** True for the main button of a page. */
  readonly isLarge?: boolean
  readonly children: ReactNode
}

/**
 * Renders a link that downloads an entry. A plain click asks the server first, so that a refusal is shown on the page. A link that allows
 * no more downloads leads nowhere, and still gets the focus, so that everybody learns the reason.
 */
export function DownloadLink({ download, onRefused, isLarge = false, children }: DownloadLinkProps) {
  const block = useDownloadBlock()
  return (
    <LinkButton
      kind="primary"
      icon={Download}
      className={isLarge ? styles.large : undefined}
      {...(block === undefined
        ? { href: shareDownloadHref(download), download: '' }
        : { role: 'link', 'aria-disabled': true, tabIndex: 0, title: block })}
      onClick={(event) => {
        event.preventDefault()
        void startShareDownload(download).catch(onRefused)
      }}
    >
      {children}
    </LinkButton>
  )
}
