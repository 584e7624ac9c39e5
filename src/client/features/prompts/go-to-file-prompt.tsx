import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { parseNameQuery } from '../../../shared/domain/name-query.ts'
import { nameOf, parentOf, type Path, root } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { matchingRanges, type TextRange } from '../../listing/rows/name-match.ts'
import { filesUrl, navigate, withBase } from '../../router/router.ts'
import { closePrompt } from '../../state/prompt.ts'
import { recentFolders } from '../../state/recent-folders.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { MarkedName, MarkedText } from '../../ui/marked-name.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { PaletteField } from './palette-field.tsx'
import { type FileHit, type FileHits, useFileHits } from './go-to-file/use-file-hits.ts'
import styles from './palette.module.css'

/** Shows a field for a part of a file's name, and the files and folders of all folders that have such a name. */
export function GoToFilePrompt() {
  const [text, setText] = useState('')
  const { text: found, state, hits, isCut, reason, openFirst, retry } = useFileHits(text, openHit)
  const recent = useStore(recentFolders).filter((path) => path !== root)
  const shown = state === 'idle' ? recent.map((path): FileHit => ({ path, isFolder: true })) : hits
  const query = parseNameQuery(found)
  const rangesOf = (name: string) => matchingRanges(name, query)
  return (
    <Dialog title={t('action.go-to-file')} isTitleHidden width="wide" onClose={closePrompt}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <PaletteField
          label={t('palette.fileLabel')}
          onEnter={openFirst}
          onCtrlEnter={(key) => openInNewTab(shown.find(({ path }) => path === key) ?? shown[0])}
          onHeldText={setText}
        />
        {state === 'idle' && shown.length > 0 && <p className={styles.title}>{t('palette.recent')}</p>}
        <ListBox
          aria-label={t('palette.files')}
          items={shown}
          // The library draws an option again only when its hit or one of these values has changed.
          dependencies={[found]}
          className={styles.items ?? ''}
          renderEmptyState={() => <output className={styles.nothing}>{emptyText(state)}</output>}
        >
          {(hit) => <HitOption id={hit.path} hit={hit} rangesOf={rangesOf} />}
        </ListBox>
      </Autocomplete>
      {isCut && (
        <p className={styles.nothing}>
          <output>{t('palette.best', { count: hits.length })}</output>
        </p>
      )}
      {state === 'failed' && (
        <p className={styles.failed}>
          <output>{t('palette.failed', { reason })}</output>
          <Button onClick={retry}>{t('buttons.retry')}</Button>
        </p>
      )}
    </Dialog>
  )
}

type HitOptionProps = {
  /** The path of the hit. The library identifies an option by this property, also when better hits move it. */
  readonly id: Path
  readonly hit: FileHit
  /** Returns the parts of a text that match what the user has typed. */
  readonly rangesOf: (text: string) => readonly TextRange[]
}

function HitOption({ id, hit, rangesOf }: HitOptionProps) {
  const { path, isFolder } = hit
  const folder = parentOf(path)
  const place = folder === root ? t('sidebar.myFiles') : visibleName(folder.slice(1))
  return (
    <ListBoxItem
      id={id}
      textValue={visibleName(nameOf(path))}
      className={styles.item ?? ''}
      onAction={() => openHit(hit)}
    >
      <FilePicture
        name={nameOf(path)}
        type={isFolder ? '' : (typeOfName(nameOf(path)) ?? 'blob')}
        isFolder={isFolder}
        size={20}
      />
      <span className={styles.label}>
        <MarkedName name={nameOf(path)} rangesOf={rangesOf} />
      </span>
      <span className={styles.place}>
        <bdi>{folder === root ? place : <MarkedText text={place} ranges={rangesOf(place)} />}</bdi>
      </span>
    </ListBoxItem>
  )
}

function openHit({ path, isFolder }: FileHit): void {
  closePrompt()
  navigate(filesUrl(path, isFolder))
}

function openInNewTab(hit: FileHit | undefined): void {
  if (hit === undefined) return
  closePrompt()
  window.open(withBase(filesUrl(hit.path, hit.isFolder)), '_blank', 'noopener')
}

function emptyText(state: FileHits['state']): string {
  if (state === 'running') return t('palette.searching')
  if (state === 'done') return t('palette.noFile')
  return state === 'idle' ? t('palette.fileHint') : ''
}
