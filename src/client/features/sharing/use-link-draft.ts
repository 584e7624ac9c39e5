import type { ShareResource } from '../../../shared/contract/shares.ts'
import { useSave } from '../../api/use-save.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf, refusedValueOf } from '../../operations/reason.ts'
import { useFormDraft } from '../../state/drafts/use-form-draft.ts'
import { problemOf, type LinkProblem } from './link-problem.ts'
import { emptyFields, fieldsOfLink, type LinkFields } from './link-terms.ts'

/** The terms of a link as they are typed, and the request that stores them. */
export type LinkDraft = {
  readonly fields: LinkFields
  readonly change: (changes: Partial<LinkFields>) => void
  readonly isChanged: () => boolean
  /** The reason why the fields cannot be sent, or why the server has refused them. */
  readonly problem: LinkProblem | null
  readonly isBusy: boolean
  /** The reason of a failure that no field shows. */
  readonly failure: string | null
  /** Sends the fields, unless something is wrong with them. */
  readonly submit: () => void
}

/** Holds the fields of a new link, for which `link` is null, or of an existing one. The typed values stay when the server refuses them. */
export function useLinkDraft(
  link: ShareResource | null,
  onSave: (fields: LinkFields) => Promise<void>,
): LinkDraft {
  const { draft: fields, change, isChanged } = useFormDraft(link === null ? emptyFields : fieldsOfLink(link))
  const { isBusy, failure, faults, submit } = useSave(fields, {
    send: onSave,
    // The terms of a link are not those of the next one.
    onSaved: () => {
      if (link === null) change(emptyFields)
    },
    explain: (thrown) =>
      refusedValueOf(thrown) === 'alias'
        ? { faults: { alias: t('share.takenAlias') }, failure: null }
        : { faults: {}, failure: reasonOf(thrown) },
  })
  const problem = problemOf(fields)
  return {
    fields,
    change,
    isChanged,
    problem: problem ?? (faults['alias'] === undefined ? null : 'taken-alias'),
    isBusy,
    failure,
    submit: () => {
      if (problem === null) submit()
    },
  }
}
