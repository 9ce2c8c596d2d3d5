// Command csvdiff compares two CSV files by key and prints what changed.
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
)

type table struct {
	header []string
	rows   map[string][]string
	order  []string
}

type change struct {
	key    string
	column string
	old    string
	new    string
}

func main() {
	keys := flag.String("key", "id", "comma separated key columns")
	ignore := flag.String("ignore", "", "comma separated columns to leave out")
	tolerance := flag.Float64("tolerance", 0, "numbers closer than this are equal")
	delimiter := flag.String("d", ",", "field delimiter")
	quiet := flag.Bool("q", false, "print nothing, only set the exit status")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: csvdiff [flags] OLD NEW")
		os.Exit(2)
	}

	left, err := load(flag.Arg(0), split(*keys), *delimiter)
	check(err)
	right, err := load(flag.Arg(1), split(*keys), *delimiter)
	check(err)

	columns := shared(left.header, right.header, split(*ignore))
	added, removed, changed := compare(left, right, columns, *tolerance)
	if !*quiet {
		report(os.Stdout, added, removed, changed)
	}
	if len(added)+len(removed)+len(changed) > 0 {
		os.Exit(1)
	}
}

func load(path string, keys []string, delimiter string) (*table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()

	reader := csv.NewReader(file)
	reader.Comma = []rune(delimiter)[0]
	reader.FieldsPerRecord = -1
	reader.ReuseRecord = false
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	positions := make([]int, len(keys))
	for i, key := range keys {
		positions[i] = indexOf(header, key)
		if positions[i] < 0 {
			return nil, fmt.Errorf("%s has no column %q", path, key)
		}
	}

	result := &table{header: header, rows: map[string][]string{}}
	for line := 2; ; line++ {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return result, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		for len(record) < len(header) {
			record = append(record, "")
		}
		parts := make([]string, len(positions))
		for i, position := range positions {
			parts[i] = strings.TrimSpace(record[position])
		}
		key := strings.Join(parts, "\x1f")
		if _, twice := result.rows[key]; twice {
			return nil, fmt.Errorf("%s:%d: key %s occurs twice", path, line, printable(key))
		}
		result.rows[key] = record
		result.order = append(result.order, key)
	}
}

func compare(left, right *table, columns []string, tolerance float64) (added, removed []string, changed []change) {
	for _, key := range left.order {
		if _, ok := right.rows[key]; !ok {
			removed = append(removed, key)
		}
	}
	for _, key := range right.order {
		old, ok := left.rows[key]
		if !ok {
			added = append(added, key)
			continue
		}
		for _, column := range columns {
			a := old[indexOf(left.header, column)]
			b := right.rows[key][indexOf(right.header, column)]
			if !same(a, b, tolerance) {
				changed = append(changed, change{key, column, a, b})
			}
		}
	}
	return added, removed, changed
}

// same compares as numbers when both sides are numbers, and as trimmed text otherwise.
func same(a, b string, tolerance float64) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return false
	}
	gap := x - y
	if gap < 0 {
		gap = -gap
	}
	return gap <= tolerance
}

func report(out io.Writer, added, removed []string, changed []change) {
	for _, key := range removed {
		fmt.Fprintf(out, "- %s\n", printable(key))
	}
	for _, key := range added {
		fmt.Fprintf(out, "+ %s\n", printable(key))
	}
	sort.SliceStable(changed, func(i, j int) bool { return changed[i].key < changed[j].key })
	for _, c := range changed {
		fmt.Fprintf(out, "~ %s %s: %q -> %q\n", printable(c.key), c.column, c.old, c.new)
	}
}

func shared(left, right, ignored []string) []string {
	var result []string
	for _, name := range left {
		if indexOf(right, name) >= 0 && indexOf(ignored, name) < 0 {
			result = append(result, name)
		}
	}
	return result
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func indexOf(list []string, wanted string) int {
	for i, item := range list {
		if item == wanted {
			return i
		}
	}
	return -1
}

func printable(key string) string {
	return strings.ReplaceAll(key, "\x1f", "/")
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "csvdiff:", err)
		os.Exit(2)
	}
}
