// Command manifests checks that Kubernetes manifests say what they mean: every
// member is one that the type of its object has, in the version of the API that
// tools/manifests/go.mod pins, and names that objects call each other by exist.
// It asks no cluster, and so does not know what a cluster makes of them.
//
//	go -C tools/manifests run . ../../deploy/kubernetes/*.yaml
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

func main() {
	objects, problems := 0, []error(nil)
	var all installation
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		for i, document := range bytes.Split(text, []byte("\n---\n")) {
			objects++
			if err := all.read(document); err != nil {
				problems = append(problems, fmt.Errorf("%s, object %d: %w", name, i+1, err))
			}
		}
	}
	problems = append(problems, all.check()...)
	if objects == 0 {
		problems = append(problems, errors.New("no objects: name the files"))
	}
	for _, err := range problems {
		fmt.Fprintln(os.Stderr, "manifests:", err)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
	fmt.Fprintf(io.Writer(os.Stdout), "manifests: %d objects\n", objects)
}

// installation is what the manifests make together.
type installation struct {
	deployments []appsv1.Deployment
	services    []corev1.Service
	budgets     []policyv1.PodDisruptionBudget
	named       map[string]bool // of ConfigMaps and ServiceAccounts, with their kind
}

func (all *installation) read(document []byte) error {
	var about struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
	}
	if err := yaml.Unmarshal(document, &about); err != nil {
		return err
	}
	if about.Name == "" || len(validation.IsDNS1123Subdomain(about.Name)) > 0 {
		return fmt.Errorf("%q is no name of an object", about.Name)
	}
	if all.named == nil {
		all.named = map[string]bool{}
	}
	all.named[about.Kind+" "+about.Name] = true
	switch kind := about.APIVersion + " " + about.Kind; kind {
	case "v1 Namespace":
		return yaml.UnmarshalStrict(document, new(corev1.Namespace))
	case "v1 ServiceAccount":
		return yaml.UnmarshalStrict(document, new(corev1.ServiceAccount))
	case "v1 ConfigMap":
		return yaml.UnmarshalStrict(document, new(corev1.ConfigMap))
	case "v1 Service":
		return add(document, &all.services)
	case "networking.k8s.io/v1 NetworkPolicy":
		return yaml.UnmarshalStrict(document, new(networkingv1.NetworkPolicy))
	case "apps/v1 Deployment":
		return add(document, &all.deployments)
	case "policy/v1 PodDisruptionBudget":
		return add(document, &all.budgets)
	default:
		return fmt.Errorf("%s is not known here", kind)
	}
}

func add[T any](document []byte, list *[]T) error {
	var object T
	err := yaml.UnmarshalStrict(document, &object)
	*list = append(*list, object)
	return err
}

// check holds the objects against each other and against what a careful
// operator asks of every container.
func (all *installation) check() (problems []error) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	pods := func(selector labels.Selector) (n int) {
		for _, d := range all.deployments {
			if selector.Matches(labels.Set(d.Spec.Template.Labels)) {
				n++
			}
		}
		return n
	}
	for _, s := range all.services {
		if n := pods(labels.SelectorFromSet(s.Spec.Selector)); n != 1 {
			wrong("Service %s selects the pods of %d Deployments, want 1", s.Name, n)
		}
	}
	for _, b := range all.budgets {
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		if err != nil || pods(selector) != 1 {
			wrong("PodDisruptionBudget %s selects the pods of another number of Deployments than 1 (%v)", b.Name, err)
		}
	}
	for _, d := range all.deployments {
		pod := d.Spec.Template.Spec
		selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
		if err != nil || !selector.Matches(labels.Set(d.Spec.Template.Labels)) {
			wrong("Deployment %s does not select its own pods (%v)", d.Name, err)
		}
		if !all.named["ServiceAccount "+pod.ServiceAccountName] {
			wrong("Deployment %s names the ServiceAccount %q, which is not here", d.Name, pod.ServiceAccountName)
		}
		if c := pod.SecurityContext; c == nil || c.RunAsNonRoot == nil || !*c.RunAsNonRoot || c.SeccompProfile == nil {
			wrong("Deployment %s may run as root, or without seccomp", d.Name)
		}
		volumes := map[string]bool{}
		for _, v := range pod.Volumes {
			volumes[v.Name] = true
		}
		for _, c := range pod.Containers {
			for _, m := range c.VolumeMounts {
				if !volumes[m.Name] {
					wrong("Deployment %s mounts the volume %q, which it does not have", d.Name, m.Name)
				}
			}
			for _, from := range c.EnvFrom {
				if from.ConfigMapRef != nil && !all.named["ConfigMap "+from.ConfigMapRef.Name] {
					wrong("Deployment %s names the ConfigMap %q, which is not here", d.Name, from.ConfigMapRef.Name)
				}
			}
			if s := c.SecurityContext; s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.Capabilities == nil || len(s.Capabilities.Drop) == 0 {
				wrong("Deployment %s: the container %s may do more than it needs", d.Name, c.Name)
			}
			if c.ReadinessProbe == nil || c.LivenessProbe == nil || c.Resources.Limits.Memory().IsZero() {
				wrong("Deployment %s: the container %s lacks a probe, or a bound for its memory", d.Name, c.Name)
			}
		}
	}
	return problems
}
