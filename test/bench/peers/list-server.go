// A plain Go server for listings: it reads a folder, calls lstat for each entry, and answers JSON. The peer of the rows about listings.
package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

type item struct {
	Path      string    `json:"path"`
	Name      string    `json:"name"`
	Size      int64     `json:"size"`
	Extension string    `json:"extension"`
	Modified  time.Time `json:"modified"`
	Mode      uint32    `json:"mode"`
	IsDir     bool      `json:"isDir"`
	IsSymlink bool      `json:"isSymlink"`
	Type      string    `json:"type"`
}

func main() {
	root := os.Args[1]
	http.HandleFunc("/list", func(answer http.ResponseWriter, request *http.Request) {
		folder := request.URL.Query().Get("folder")
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			http.Error(answer, "unreadable", http.StatusNotFound)
			return
		}
		items := make([]item, 0, len(entries))
		for _, entry := range entries {
			facts, err := entry.Info()
			if err != nil {
				continue
			}
			items = append(items, item{
				Path: folder + "/" + entry.Name(), Name: entry.Name(), Size: facts.Size(), Extension: filepath.Ext(entry.Name()),
				Modified: facts.ModTime(), Mode: uint32(facts.Mode()), IsDir: facts.IsDir(), Type: "text",
			})
		}
		answer.Header().Set("Content-Type", "application/json")
		json.NewEncoder(answer).Encode(map[string]any{"items": items, "numFiles": len(items)})
	})
	line, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString(line.Addr().String() + "\n")
	http.Serve(line, nil)
}
