import { useState } from 'react'
import { queryClient } from '../api/query.ts'
import { serviceUrl } from '../base.ts'
import { Button } from '../ui/button.tsx'

export function SignOut() {
  const [failed, setFailed] = useState(false)
  const signOut = async () => {
    const response = await fetch(new URL('auth/logout', serviceUrl), { method: 'POST' }).catch(() => null)
    setFailed(response === null || response.status >= 400)
    if (response === null || response.status >= 400) return
    queryClient.clear()
    location.assign(new URL('auth/sign-in', serviceUrl))
  }
  return (
    <span role="status">
      <Button kind="link" onClick={() => void signOut()}>
        Sign out
      </Button>
      {failed ? ' You could not be signed out. Try again.' : null}
    </span>
  )
}
