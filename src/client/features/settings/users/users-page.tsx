import { useLocation } from '../../../router/use-location.ts'
import { UserForm } from './user-form.tsx'
import { UserList } from './user-list.tsx'

/**
 * Renders the list of users, the form for a new user, or the form of the user whose id is in the address. The form for a new
 * user begins with the fields of the user whom the parameter `copy` of the address names.
 */
export function UsersPage({ rest }: { readonly rest: string }) {
  const { query } = useLocation()
  if (rest === '') return <UserList />
  const copied = new URLSearchParams(query).get('copy') ?? ''
  return (
    <UserForm
      id={rest === 'new' ? null : Number(rest)}
      copiedId={/^\d{1,15}$/.test(copied) ? Number(copied) : null}
    />
  )
}
