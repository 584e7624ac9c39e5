// A Go server of files with our guarantee: an acknowledged file is on the disk. It writes a temporary file beside the target, flushes
// it, renames it, and flushes the folder. The peer of the rows about many small files.
package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

func put(place string, body io.Reader) error {
	folder := filepath.Dir(place)
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, ".put-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err = io.Copy(file, body); err != nil {
		return err
	}
	if err = file.Chmod(0o640); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), place); err != nil {
		return err
	}
	above, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer above.Close()
	return above.Sync()
}

func main() {
	root := os.Args[1]
	files := http.FileServer(http.Dir(root))
	handler := func(answer http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPut {
			files.ServeHTTP(answer, request)
			return
		}
		if err := put(filepath.Join(root, filepath.Clean("/"+request.URL.Path)), request.Body); err != nil {
			http.Error(answer, err.Error(), http.StatusInternalServerError)
			return
		}
		answer.WriteHeader(http.StatusCreated)
	}
	line, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString(line.Addr().String() + "\n")
	http.Serve(line, http.HandlerFunc(handler))
}
