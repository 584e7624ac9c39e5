import { useState, type ReactNode } from 'react'
import { Check, Copy } from 'lucide'
import type { Path } from '../../../shared/domain/path.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { formatCount } from '../../i18n/locale.ts'
import { t } from '../../i18n/translate.ts'
import { copyText } from '../../operations/copying/copy-text.ts'
import { PathLink } from '../../paths/path-link.tsx'
import { notifyFailure } from '../../state/notices.ts'
import { FileName } from '../../ui/file-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './facts.module.css'

/** Renders one line of a list of facts: a label and its value. */
export const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

export const NameFact = ({ name }: { readonly name: string }) => (
  <Fact label={t('prompt.info.name')}>
    <FileName name={name} isWhole />
  </Fact>
)

/** Renders a path, and the button that copies it as programs write it. */
export const PathFact = ({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) => (
  <Fact label={t('prompt.info.path')}>
    <span className={styles.copied}>
      <span className={styles.text}>
        <PathLink path={path} isFolder={isFolder} />
      </span>
      <CopyButton text={path} label={t('prompt.info.copyPath')} />
    </span>
  </Fact>
)

export const SizeFact = ({ sizeBytes }: { readonly sizeBytes: number }) => (
  <Fact label={t('prompt.info.size')}>
    <SizeText sizeBytes={sizeBytes} />
  </Fact>
)

/** Renders a size with its unit. Sizes of 1 KB and more are also rendered in bytes. */
export const SizeText = ({ sizeBytes }: { readonly sizeBytes: number }) => (
  <>
    {formatSize(sizeBytes)}
    {sizeBytes >= 1024 && (
      <span className={styles.second}>{t('prompt.info.bytes', { count: sizeBytes })}</span>
    )}
  </>
)

export const ModifiedFact = ({ modifiedMs }: { readonly modifiedMs: number }) => (
  <Fact label={t('prompt.info.modified')}>
    {useRelativeTime(modifiedMs)}
    <span className={styles.second}>{formatDate(modifiedMs)}</span>
  </Fact>
)

type CountFactsProps = {
  readonly files: number
  readonly folders: number
  /** True for the numbers of a folder, which leave out the entries of its subfolders. */
  readonly isFolder?: boolean
}

/** Renders numbers of files and folders. A selection leaves out the one that is 0. */
export const CountFacts = ({ files, folders, isFolder = false }: CountFactsProps) => (
  <>
    {(isFolder || files > 0) && <Fact label={t('prompt.info.files')}>{countText(files, isFolder)}</Fact>}
    {(isFolder || folders > 0) && (
      <Fact label={t('prompt.info.folders')}>{countText(folders, isFolder)}</Fact>
    )}
  </>
)

const countText = (count: number, isFolder: boolean): string =>
  isFolder ? t('prompt.info.directly', { count }) : formatCount(count)

/** Copies a text when it is pressed, and says so to screen readers. The notices are hidden behind the dialog. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    const succeeded = await copyText(text)
    setCopied(succeeded)
    if (!succeeded) notifyFailure(t('failed.copyText'))
  }
  return (
    <>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={label}
        className={styles.copy}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      />
      <output className="visually-hidden">{isCopied ? t('done.copyText') : ''}</output>
    </>
  )
}
