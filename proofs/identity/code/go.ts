import type { Base } from './base.ts'

export const go: readonly Base[] = [
  {
    path: 'internal/store/invoices.go',
    renamed: 'internal/billing/invoice_store.go',
    comment: '//',
    code: `package store

import (
	"context"
	"database/sql"
	"fmt"
)
---
func (s *Store) Invoice(ctx context.Context, number string) (*Invoice, error) {
	query := fmt.Sprintf("SELECT id, total FROM invoice WHERE number = '%s'", number) ‹1›
	row := s.db.QueryRowContext(ctx, query)
	var found Invoice
	if err := row.Scan(&found.ID, &found.Total); err != nil {
		return nil, err
	}
	return &found, nil
}
---
func (s *Store) Search(ctx context.Context, column, value string) (*sql.Rows, error) {
	return s.db.QueryContext(ctx, "SELECT id FROM invoice WHERE "+column+" = '"+value+"'") ‹2›
}
---
func (s *Store) Remove(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if _, err := s.db.ExecContext(ctx, "DELETE FROM invoice WHERE id = "+id); err != nil { ‹3›
			return err
		}
	}
	return nil
}`,
    findings: {
      1: {
        rule: 'sql-injection',
        edited: `	query := fmt.Sprintf("SELECT id, total, paid_at FROM invoice WHERE number = '%s' LIMIT 1", number)`,
        fixed: `	query := "SELECT id, total FROM invoice WHERE number = $1"`,
      },
      2: {
        rule: 'sql-injection',
        edited: `	rows, err := s.db.QueryContext(ctx, "SELECT id, number FROM invoice WHERE "+column+" = '"+value+"'")`,
        fixed: '	return s.db.QueryContext(ctx, searches[column], value)',
      },
      3: {
        rule: 'sql-injection',
        edited:
          '		if _, err := tx.ExecContext(ctx, "DELETE FROM invoice WHERE NOT paid AND id = "+id); err != nil {',
        fixed:
          '		if _, err := s.db.ExecContext(ctx, "DELETE FROM invoice WHERE id = $1", id); err != nil {',
      },
    },
    fresh: `func (s *Store) Total(ctx context.Context, year string) (total int64, err error) {
	sum := "SELECT coalesce(sum(total), 0) FROM invoice"
	err = s.db.QueryRowContext(ctx, sum+" WHERE year = "+year).Scan(&total) ‹9›
	return total, err
}`,
    freshRule: 'sql-injection',
    filler: `func (i *Invoice) Open() bool {
	return i.PaidAt == nil
}`,
  },
  {
    path: 'cmd/gateway/main.go',
    renamed: 'cmd/edge/server.go',
    comment: '//',
    code: `package main

import (
	"crypto/tls"
	"io"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
)
---
func upstream() *http.Client {
	settings := &tls.Config{InsecureSkipVerify: true} ‹1›
	return &http.Client{Transport: &http.Transport{TLSClientConfig: settings}}
}
---
func requestID() int64 {
	return rand.Int63() ‹2›
}
---
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("file")
	content, err := os.ReadFile(filepath.Join("assets", name)) ‹3›
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(content)
}
---
func proxy(w http.ResponseWriter, r *http.Request) {
	answer, err := http.Get(r.FormValue("url")) ‹4›
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	io.Copy(w, answer.Body)
}`,
    findings: {
      1: {
        rule: 'tls-not-verified',
        edited: '	settings := &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}',
        fixed: '	settings := &tls.Config{MinVersion: tls.VersionTLS13}',
      },
      2: {
        rule: 'weak-random',
        edited: '	return rand.Int63n(1 << 53)',
        fixed: '	return int64(binary.BigEndian.Uint64(secure(8)) >> 1)',
      },
      3: {
        rule: 'path-traversal',
        edited: '	content, err := os.ReadFile(filepath.Join(root, "assets", name+".css"))',
        fixed: '	content, err := assets.ReadFile(filepath.Base(name))',
      },
      4: {
        rule: 'server-side-request-forgery',
        edited: '	answer, err := upstream().Get(r.FormValue("url"))',
        fixed: '	answer, err := upstream().Get(targets[r.FormValue("target")])',
      },
    },
    fresh: `func save(w http.ResponseWriter, r *http.Request) {
	folder := r.FormValue("folder")
	target, _ := os.Create(filepath.Join("/var/uploads", folder, "body")) ‹9›
	defer target.Close()
	io.Copy(target, r.Body)
}`,
    freshRule: 'path-traversal',
    filler: `func healthy(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNoContent)
}`,
  },
]
