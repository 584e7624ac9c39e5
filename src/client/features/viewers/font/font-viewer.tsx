import { useState } from 'react'
import { splitName } from '../../../../shared/domain/names.ts'
import { t } from '../../../i18n/translate.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import type { ViewerProps } from '../viewer.ts'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { useFont } from './use-font.ts'
import styles from './font.module.css'

/** The sizes of the sample, in CSS pixels. */
const sizesPx = [12, 14, 16, 20, 24, 32, 48, 72] as const

const alphabet = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '.,:;!?…\'"‘’“”«»-–—()[]{}/\\|@#$€£%&*+=<>~^_§©®™°',
] as const

/** Shows a font: its letters, a sample in several sizes that can be changed, and the first characters that it has. */
export function FontViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const [typed, setTyped] = useState('')
  const font = useFont(file, onBroken)
  if (font === null) return <ViewerLoading />
  const sample = typed.trim() === '' ? t('viewer.sampleText') : typed
  const style = { fontFamily: font.family }
  return (
    <ViewerFrame part="font" look="document" fillsWidth="narrow">
      <ScrollArea className={styles.page} label={visibleName(file.name)}>
        <div className={styles.specimen}>
          <p className={styles.name} style={style} dir="auto">
            {visibleName(splitName(file.name).stem)}
          </p>
          <div className={styles.alphabet} style={style} dir="ltr">
            {alphabet.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
          {!isQuick && (
            <TextField
              label={t('viewer.sample')}
              placeholder={t('viewer.sampleText')}
              value={typed}
              maxLength={200}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
          <ul className={styles.samples}>
            {sizesPx.map((sizePx) => (
              <li key={sizePx}>
                <span className={styles.size}>{t('viewer.pixels', { count: sizePx })}</span>
                <span className={styles.sample} style={{ ...style, fontSize: `${sizePx}px` }} dir="auto">
                  {sample}
                </span>
              </li>
            ))}
          </ul>
          {font.characters !== null && font.characters.length > 0 && (
            <ul
              className={styles.characters}
              style={style}
              aria-label={t('viewer.characters', { count: font.characters.length })}
            >
              {font.characters.map((character) => (
                <li key={character}>{character}</li>
              ))}
            </ul>
          )}
        </div>
      </ScrollArea>
    </ViewerFrame>
  )
}
