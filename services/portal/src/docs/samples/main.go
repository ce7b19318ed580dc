package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

var client = &http.Client{Timeout: 500 * time.Millisecond}

type location struct {
	City  *string `json:"city"`
	Error *struct {
		Message string `json:"message"`
		Docs    string `json:"docs"`
	} `json:"error"`
}

// locate returns the location of a visitor, which is empty if the lookup fails.
func locate(r *http.Request) (found location) {
	visitor, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return
	}
	lookup, err := http.NewRequestWithContext(r.Context(), "GET", "https://geo.example.com/v1/geo", nil)
	if err != nil {
		return
	}
	lookup.Header.Set("Authorization", "Bearer YOUR_KEY")
	lookup.Header.Set("X-Forwarded-For", visitor)
	response, err := client.Do(lookup)
	if err != nil {
		return
	}
	defer response.Body.Close()
	if json.NewDecoder(response.Body).Decode(&found) != nil {
		return location{}
	}
	if found.Error != nil {
		log.Println(found.Error.Message, found.Error.Docs)
	} else if !strings.Contains(strings.Join(response.Header.Values("Vary"), ","), "X-Forwarded-For") {
		log.Println("This key can't forward visitors. Issue one with --forward.")
		return location{}
	}
	return
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		city := "visitor"
		if found := locate(r); found.City != nil {
			city = *found.City
		}
		fmt.Fprintf(w, "Hello, %s!", city)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", nil))
}
