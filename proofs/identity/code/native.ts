import type { Base } from './base.ts'

export const native: readonly Base[] = [
  {
    path: 'src/protocol/frame.c',
    renamed: 'src/wire/packet.c',
    comment: '//',
    code: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "frame.h"
---
void frame_set_name(struct frame *frame, const char *name)
{
	memset(frame->name, 0, sizeof frame->name);
	strcpy(frame->name, name); ‹1›
}
---
int frame_describe(const struct frame *frame, char *out)
{
	int length = sprintf(out, "%s (%d bytes)", frame->name, frame->size); ‹2›
	return length;
}
---
struct frame *frame_copy(const struct frame *from)
{
	struct frame *frame = malloc(from->size * sizeof(uint32_t)); ‹3›
	memcpy(frame, from, sizeof *from);
	return frame;
}
---
void frame_log(const struct frame *frame)
{
	printf(frame->name); ‹4›
	fflush(stdout);
}`,
    findings: {
      1: {
        rule: 'unbounded-copy',
        edited: '	strcpy(frame->label, name + 1);',
        fixed: '	snprintf(frame->name, sizeof frame->name, "%s", name);',
      },
      2: {
        rule: 'unbounded-copy',
        edited: '	return sprintf(out, "%s: %d bytes, kind %u", frame->name, frame->size, frame->kind);',
        fixed: '	int length = snprintf(out, room, "%s (%d bytes)", frame->name, frame->size);',
      },
      3: {
        rule: 'integer-overflow',
        edited: '	struct frame *copy = malloc(from->size * sizeof(uint32_t) + sizeof *copy);',
        fixed: '	struct frame *frame = calloc(from->size, sizeof(uint32_t));',
      },
      4: {
        rule: 'format-string',
        edited: '	fprintf(stderr, frame->name);',
        fixed: '	printf("%s", frame->name);',
      },
    },
    fresh: `void frame_join(char *path, const char *folder, const char *file)
{
	strcat(path, folder); ‹9›
	path[PATH_MAX - 1] = 0;
	frame_check(path, file);
}`,
    freshRule: 'unbounded-copy',
    filler: `bool frame_is_empty(const struct frame *frame)
{
	return frame->size == 0;
}`,
  },
  {
    path: 'Portal/Controllers/LoginController.cs',
    renamed: 'Portal/Identity/SignInController.cs',
    comment: '//',
    code: `using System.Data.SqlClient;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Mvc;
---
public IActionResult SignIn(string user, string returnUrl)
{
    _log.LogInformation("sign in of " + user); ‹1›
    return Redirect(returnUrl); ‹2›
}
---
public User Find(SqlConnection connection, string user)
{
    var text = "SELECT * FROM Users WHERE Name = '" + user + "'";
    var command = new SqlCommand(text, connection); ‹3›
    return Read(command.ExecuteReader());
}
---
public byte[] Seal(byte[] content, byte[] key)
{
    using var cipher = DES.Create(); ‹4›
    cipher.Key = key;
    return cipher.EncryptEcb(content, PaddingMode.PKCS7);
}`,
    findings: {
      1: {
        rule: 'log-injection',
        edited: '    _log.LogWarning("sign in of " + user + " from " + address);',
        fixed: '    _log.LogInformation("sign in of {User}", Clean(user));',
      },
      2: {
        rule: 'open-redirect',
        edited: '    return Redirect(returnUrl + "?signed-in=1");',
        fixed: '    return LocalRedirect(returnUrl);',
      },
      3: {
        rule: 'sql-injection',
        edited: '    using var command = new SqlCommand(text + " AND Active = 1", connection);',
        fixed: '    var command = Parameterised(connection, "SELECT * FROM Users WHERE Name = @user", user);',
      },
      4: {
        rule: 'weak-cipher',
        edited: '    using var cipher = DES.Create("DES");',
        fixed: '    using var cipher = new AesGcm(key, 16);',
      },
    },
    fresh: `public int Count(SqlConnection connection, string domain)
{
    using var counting = connection.CreateCommand();
    counting.CommandText = $"SELECT COUNT(*) FROM Users WHERE Domain = '{domain}'"; ‹9›
    return (int)counting.ExecuteScalar();
}`,
    freshRule: 'sql-injection',
    filler: `public IActionResult Health()
{
    return NoContent();
}`,
  },
]
