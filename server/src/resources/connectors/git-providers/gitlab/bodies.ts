import type { UserBody } from './users.ts'

// Responses of GitLab's REST API: the fields that are read.

export interface GroupBody {
  readonly id: number
  readonly full_path: string
}

export interface ProjectBody {
  readonly id: number
  readonly path_with_namespace: string
  readonly visibility: 'private' | 'internal' | 'public'
  readonly merge_requests_enabled?: boolean
}

export interface MemberBody extends UserBody {
  readonly name: string
  readonly state: string
  readonly access_level: number
  readonly email?: string | null
}

export interface MergeRequestBody {
  readonly id: number
  readonly iid: number
  readonly web_url: string
  readonly state: 'opened' | 'closed' | 'locked' | 'merged'
  readonly draft: boolean
  readonly author: UserBody | null
  readonly created_at: string
  readonly updated_at: string
  readonly merged_at: string | null
  readonly closed_at: string | null
  readonly sha: string | null
  readonly merge_commit_sha: string | null
  readonly squash_commit_sha: string | null
}

export interface MergeRequestDetailsBody extends MergeRequestBody {
  /** Without those that GitLab writes itself. */
  readonly user_notes_count: number
  readonly diff_refs: { readonly head_sha: string | null } | null
}

export interface NoteBody {
  readonly id: number
  readonly type: 'DiffNote' | 'DiscussionNote' | null
  readonly body: string
  readonly author: UserBody | null
  readonly created_at: string
  readonly updated_at: string
  readonly system: boolean
  readonly resolved?: boolean
  readonly resolved_by?: UserBody | null
  readonly resolved_at?: string | null
  readonly position?: PositionBody | null
  readonly suggestions?: readonly { readonly applied: boolean }[]
}

interface LinePointBody {
  readonly old_line: number | null
  readonly new_line: number | null
}

export interface PositionBody {
  readonly head_sha: string
  readonly old_path: string | null
  readonly new_path: string | null
  readonly old_line?: number | null
  readonly new_line?: number | null
  readonly line_range?: { readonly start: LinePointBody; readonly end: LinePointBody } | null
}

export interface DiscussionBody {
  readonly id: string
  readonly notes: readonly NoteBody[]
}

export interface CommitBody {
  readonly id: string
  readonly message: string
  readonly committed_date: string
}

export interface EmojiBody {
  readonly name: string
  readonly user: UserBody | null
}
