import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { LinkEffect } from './link-effect.tsx'
import { LinkFieldList } from './link-fields.tsx'
import type { LinkDraft } from './use-link-draft.ts'
import styles from './sharing.module.css'

type NewLinkTermsProps = {
  readonly draft: LinkDraft
  readonly entry: { readonly isFolder: boolean; readonly name: string }
  /** True below a list of links, to one of which the sentence would seem to belong. */
  readonly isBelowLinks: boolean
}

/**
 * Says in one sentence what a new link would allow. Its terms fold open below the sentence, and stay open while one of them is wrong.
 * Below other links, the sentence is shown together with the terms.
 */
export function NewLinkTerms({
  draft: { fields, change, problem },
  entry: { isFolder, name },
  isBelowLinks,
}: NewLinkTermsProps) {
  const [isOpen, setOpen] = useState(false)
  const hasEffect = (problem === null || problem === 'taken-alias') && (isOpen || !isBelowLinks)
  return (
    <section className={styles.newLink} aria-label={t('share.create')}>
      {hasEffect && <LinkEffect fields={fields} name={name} />}
      <details
        className={styles.options}
        open={isOpen || problem !== null}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{t('share.options')}</summary>
        <div className={styles.optionFields}>
          <LinkFieldList
            link={null}
            isFolder={isFolder}
            fields={fields}
            problem={problem}
            onChange={change}
          />
        </div>
      </details>
    </section>
  )
}
