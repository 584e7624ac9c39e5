import type { ShareResource } from '../../../shared/contract/shares.ts'
import { closePrompt } from '../../state/prompt.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { LinkForm } from './link-form.tsx'
import { changesOfFields } from './link-terms.ts'
import { changeLink } from './share-links.ts'

/** Changes one link of the list of all links. */
export const EditSharePrompt = ({ link }: { readonly link: ShareResource }) => (
  <LinkForm
    link={link}
    isFolder={link.path.endsWith('/')}
    name={visibleName(link.path)}
    onSave={async (fields) => {
      await changeLink(link.hash, changesOfFields(link, fields))
      closePrompt()
    }}
    onCancel={closePrompt}
  />
)
