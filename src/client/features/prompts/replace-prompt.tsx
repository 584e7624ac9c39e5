import { useState } from 'react'
import { nameOf } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import type { Prompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { focusFirst } from './focus-first.ts'
import styles from './prompts.module.css'

type ReplacePromptProps = Omit<Extract<Prompt, { readonly kind: 'replace' }>, 'kind'>

/** Asks the user what to do about names that are already taken: for each name, or once for all names. */
export function ReplacePrompt({ cause, folder, names, of, resolve }: ReplacePromptProps) {
  const [isForAll, setForAll] = useState(true)
  const [first = ''] = names
  const cancel = (): void => resolve('cancel', true)
  const where = <FileName name={nameOf(folder) || t('sidebar.myFiles')} isWhole />
  return (
    <Dialog
      title={t('prompt.replace.title')}
      onClose={cancel}
      onSubmit={() => resolve('overwrite', isForAll)}
      actions={
        <>
          <Button onClick={cancel}>{t('buttons.cancel')}</Button>
          <Button onClick={() => resolve('skip', isForAll)}>{t('buttons.skip')}</Button>
          {cause === 'transfer' && (
            <Button kind="primary" onClick={() => resolve('rename', isForAll)}>
              {t('buttons.rename')}
            </Button>
          )}
          <Button kind="danger" type="submit" ref={focusFirst}>
            {t('buttons.replace')}
          </Button>
        </>
      }
    >
      {cause === 'upload' && <p>{t('prompt.replace.text')}</p>}
      <p className={styles.conflict}>
        <strong className={styles.whole}>
          <FileName name={first} isWhole />
        </strong>
        <span className={styles.muted}>
          <RichText id="prompt.replace.count" values={{ count: names.length, of, folder: where }} />
        </span>
      </p>
      {names.length > 1 && (
        <Checkbox
          label={t('prompt.replace.all', { count: names.length })}
          checked={isForAll}
          onChange={({ target }) => setForAll(target.checked)}
        />
      )}
    </Dialog>
  )
}
